import Foundation

/// A reader of binary property lists.
///
/// A key that occurs twice is refused, because Foundation's choice between the two values varies. A
/// list that refers to one long text many times is also refused.
///
/// Source: `CFBinaryPList.c` of Apple's CoreFoundation.
struct BinaryPropertyList {
  private let file: ByteView
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let top: Int
  private let table: Int
  private var valuesLeft = PropertyList.maximumValues
  private var bytesLeft = PropertyList.maximumBytes

  /// Whether the data begins as a binary property list.
  static func isBinary(_ data: Data) -> Bool { data.starts(with: Array("bplist".utf8)) }

  init(_ data: Data) throws(MachOError) {
    file = ByteView(data)
    let trailer = try file.part(at: file.count - 32, count: 32)
    offsetSize = Int(try trailer.big(UInt8.self, at: 6))
    referenceSize = Int(try trailer.big(UInt8.self, at: 7))
    count = Int(clamping: try trailer.big(UInt64.self, at: 8))
    top = Int(clamping: try trailer.big(UInt64.self, at: 16))
    table = Int(clamping: try trailer.big(UInt64.self, at: 24))
    guard 1...8 ~= offsetSize, 1...8 ~= referenceSize, count <= file.count, table <= file.count
    else { throw Self.malformed }
  }

  mutating func read() throws(MachOError) -> PropertyList { try value(top, depth: 0) }

  private static var malformed: MachOError { MachOError("it is malformed") }

  private mutating func value(_ reference: Int, depth: Int) throws(MachOError) -> PropertyList {
    valuesLeft -= 1
    guard depth < PropertyList.maximumDepth, valuesLeft >= 0 else {
      throw MachOError("it is nested too deep, or has too many values")
    }
    let object = try object(reference)
    let marker = try object.big(UInt8.self, at: 0)
    switch (marker >> 4, marker & 0xf) {
    case (0, 8): return .bool(false)
    case (0, 9): return .bool(true)
    case (1, 0...3):
      return .integer(Int64(bitPattern: try number(in: object, at: 1, size: 1 << (marker & 0xf))))
    case (1, 4):
      let number = try object.big(UInt64.self, at: 9)
      return Int64(exactly: number).map { .integer($0) } ?? .real(Double(number))
    case (2, 2): return .real(Double(Float(bitPattern: try object.big(UInt32.self, at: 1))))
    case (2, 3): return .real(Double(bitPattern: try object.big(UInt64.self, at: 1)))
    case (3, 3):
      let seconds = Double(bitPattern: try object.big(UInt64.self, at: 1))
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case (4, _): return .data(Data(try content(object, unit: 1)))
    case (5, _), (6, _): return .string(try text(object))
    case (0xa, _):
      var values: [PropertyList] = []
      for reference in try references(object, times: 1) {
        values.append(try value(reference, depth: depth + 1))
      }
      return .array(values)
    case (0xd, _):
      let all = try references(object, times: 2)
      var members: [String: PropertyList] = [:]
      for (key, member) in zip(all, all.dropFirst(all.count / 2)) {
        let key = try text(self.object(key))
        let old = members.updateValue(try value(member, depth: depth + 1), forKey: key)
        guard old == nil else { throw MachOError("it has the key \(key.debugDescription) twice") }
      }
      return .dictionary(members)
    default: throw Self.malformed
    }
  }

  private func object(_ reference: Int) throws(MachOError) -> ByteView {
    guard reference < count else { throw Self.malformed }
    let offset = try number(
      in: file, at: table + reference * offsetSize, size: offsetSize)
    return try file.part(from: Int(clamping: offset))
  }

  private func number(in view: ByteView, at offset: Int, size: Int) throws(MachOError) -> UInt64 {
    try view.part(at: offset, count: size).bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The number of elements of an object, and the offset of its first element.
  private func extent(_ object: ByteView) throws(MachOError) -> (count: Int, start: Int) {
    let short = Int(try object.big(UInt8.self, at: 0) & 0xf)
    guard short == 0xf else { return (short, 1) }
    let marker = try object.big(UInt8.self, at: 1)
    guard 0x10...0x13 ~= marker else { throw Self.malformed }
    let size = 1 << Int(marker & 0xf)
    let count = Int(clamping: try number(in: object, at: 2, size: size))
    guard count <= file.count else { throw Self.malformed }
    return (count, 2 + size)
  }

  private func references(_ object: ByteView, times: Int) throws(MachOError) -> [Int] {
    let (count, start) = try extent(object)
    guard count <= valuesLeft else { throw MachOError("it has too many values") }
    var references: [Int] = []
    for index in 0..<count * times {
      let reference = try number(
        in: object, at: start + index * referenceSize, size: referenceSize)
      references.append(Int(clamping: reference))
    }
    return references
  }

  private mutating func content(_ object: ByteView, unit: Int) throws(MachOError) -> Data {
    let (count, start) = try extent(object)
    bytesLeft -= count * unit
    guard bytesLeft >= 0 else { throw MachOError("it has too many values") }
    return try object.part(at: start, count: count * unit).bytes
  }

  private mutating func text(_ object: ByteView) throws(MachOError) -> String {
    switch try object.big(UInt8.self, at: 0) >> 4 {
    case 5: return String(decoding: try content(object, unit: 1), as: UTF8.self)
    case 6:
      let bytes = Array(try content(object, unit: 2))
      let units = stride(from: 0, to: bytes.count, by: 2).map { index in
        UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
      }
      return String(decoding: units, as: UTF16.self)
    default: throw Self.malformed
    }
  }
}

import Foundation

/// Bytes of a foreign file, read by offset; what lies outside is an error, never a trap.
struct ByteView {
  private let data: Data

  init(_ data: Data) { self.data = data }

  var count: Int { data.count }
  var bytes: Data { data }

  /// A part; offsets of it count from its own start.
  func part(at offset: Int, count: Int) throws(MachOError) -> ByteView {
    guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else {
      throw MachOError("it names bytes beyond its end")
    }
    let start = data.startIndex + offset
    return ByteView(data[start..<start + count])
  }

  func part(from offset: Int) throws(MachOError) -> ByteView {
    try part(at: offset, count: count - min(max(0, offset), count))
  }

  func big<T: FixedWidthInteger & UnsignedInteger>(
    _ type: T.Type, at offset: Int
  ) throws(MachOError) -> T {
    try part(at: offset, count: MemoryLayout<T>.size).data.reduce(0) { $0 << 8 | T($1) }
  }

  func little<T: FixedWidthInteger & UnsignedInteger>(
    _ type: T.Type, at offset: Int
  ) throws(MachOError) -> T {
    try big(type, at: offset).byteSwapped
  }

  /// A 32-bit number that is an offset, a length or a count.
  func bigInt(at offset: Int) throws(MachOError) -> Int { Int(try big(UInt32.self, at: offset)) }
  func littleInt(at offset: Int) throws(MachOError) -> Int {
    Int(try little(UInt32.self, at: offset))
  }

  /// Text up to its NUL, which must come within a kilobyte or with the end.
  func text(at offset: Int) throws(MachOError) -> String {
    let rest = try part(from: offset).data.prefix(1024)
    return String(decoding: rest.prefix { $0 != 0 }, as: UTF8.self)
  }
}

/// Why bytes are no Mach-O file, or not one that can be followed.
package struct MachOError: Error, Sendable, CustomStringConvertible {
  package let message: String
  init(_ message: String) { self.message = message }
  package var description: String { message }
}

import Liquid
import PushPayload

/// An object whose members keep the order of the JSON text, as a loop over it shows them.
struct OrderedObject: LiquidObject {
  var names: [String]?
  var members: [String: LiquidValue]

  func member(_ name: String) -> LiquidValue { members[name] ?? .null }
}

/// A reader of JSON that keeps the order of members; `JSONValue` does not.
///
/// It reads fixtures, so that a text which is not JSON is a mistake of ours and stops the test.
struct OrderedJSON {
  private let bytes: [UInt8]
  private var index = 0

  struct Malformed: Error { var offset: Int }

  static func value(_ json: String) throws -> LiquidValue {
    var reader = OrderedJSON(bytes: Array(json.utf8))
    let value = try reader.value()
    reader.skipSpace()
    guard reader.index == reader.bytes.count else { throw Malformed(offset: reader.index) }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x0a, 0x0d, 0x09].contains(byte) { index += 1 }
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    index += 1
    return true
  }

  private mutating func value() throws -> LiquidValue {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return .object(try object())
    case UInt8(ascii: "["): return .array(try array())
    default: return try scalar()
    }
  }

  private mutating func object() throws -> OrderedObject {
    var object = OrderedObject(names: [], members: [:])
    index += 1
    if skip(UInt8(ascii: "}")) { return object }
    repeat {
      skipSpace()
      guard case .string(let name) = try scalar(), skip(UInt8(ascii: ":")) else {
        throw Malformed(offset: index)
      }
      object.names?.append(name)
      object.members[name] = try value()
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "}")) else { throw Malformed(offset: index) }
    return object
  }

  private mutating func array() throws -> [LiquidValue] {
    var elements: [LiquidValue] = []
    index += 1
    if skip(UInt8(ascii: "]")) { return elements }
    repeat { elements.append(try value()) } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "]")) else { throw Malformed(offset: index) }
    return elements
  }

  /// Reads a string, a number or a word with `JSONValue`, once its end is found.
  private mutating func scalar() throws -> LiquidValue {
    let start = index
    if next == UInt8(ascii: "\"") {
      index += 1
      while let byte = next, byte != UInt8(ascii: "\"") {
        index += byte == UInt8(ascii: "\\") ? 2 : 1
      }
      index += 1
    } else {
      while let byte = next, !",]} \n\r\t".utf8.contains(byte) { index += 1 }
    }
    guard index <= bytes.count else { throw Malformed(offset: start) }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    switch try JSONValue(parsing: text) {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .number(let value): return .number(value)
    case .string(let value): return .string(value)
    case .array, .object: throw Malformed(offset: start)
    }
  }
}

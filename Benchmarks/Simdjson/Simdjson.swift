import CSimdjson
package import PushPayload

/// simdjson's DOM parser, which keeps its memory from one document to the next.
@safe package final class Simdjson {
  private let parser: OpaquePointer?

  package init() { unsafe parser = martlet_simdjson_make(JSONValue.maximumDepth) }

  deinit { unsafe martlet_simdjson_free(parser) }

  /// Parses a document into simdjson's own form only, which is a bound of what simdjson could save.
  package func isReadable(_ bytes: [UInt8]) -> Bool { unsafe tape(of: bytes) != nil }

  /// Parses a document into the value that `JSONValue(parsing:)` makes.
  package func value(_ bytes: [UInt8]) -> JSONValue? {
    guard var tape = unsafe tape(of: bytes) else { return nil }
    return unsafe tape.value()
  }

  private func tape(of bytes: [UInt8]) -> Tape? {
    let tape = unsafe bytes.withUnsafeBufferPointer {
      unsafe martlet_simdjson_read(parser, $0.baseAddress, $0.count)
    }
    guard let words = unsafe tape.words, let strings = unsafe tape.strings else { return nil }
    return unsafe Tape(words: words, strings: strings)
  }
}

/// The words of a parsed document: each has a letter in its top 8 bits, and the letter's operand in the other 56.
@unsafe private struct Tape {
  private let words: UnsafePointer<UInt64>
  private let strings: UnsafePointer<UInt8>
  /// The index of the next word; the first word belongs to the root.
  private var place = 1

  init(words: UnsafePointer<UInt64>, strings: UnsafePointer<UInt8>) {
    unsafe self.words = unsafe words
    unsafe self.strings = unsafe strings
  }

  private var letter: UInt8 { unsafe UInt8(truncatingIfNeeded: words[place] >> 56) }

  mutating func value() -> JSONValue {
    switch unsafe letter {
    case UInt8(ascii: "{"): return unsafe .object(members())
    case UInt8(ascii: "["): return unsafe .array(elements())
    case UInt8(ascii: "\""): return unsafe .string(string())
    case UInt8(ascii: "l"): return unsafe .integer(Int64(bitPattern: number()))
    case UInt8(ascii: "u"): return unsafe Self.whole(Double(number()))
    case UInt8(ascii: "d"): return unsafe Self.whole(Double(bitPattern: number()))
    case let word:
      unsafe place += 1
      return word == UInt8(ascii: "n") ? .null : .bool(word == UInt8(ascii: "t"))
    }
  }

  private static func whole(_ number: Double) -> JSONValue {
    Int64(exactly: number).map(JSONValue.integer) ?? .number(number)
  }

  private mutating func number() -> UInt64 {
    unsafe place += 2
    return unsafe words[place - 1]
  }

  private mutating func string() -> String {
    let start = unsafe strings + Int(words[place] & (1 << 56 - 1))
    unsafe place += 1
    let count = unsafe UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
    let bytes = unsafe UnsafeBufferPointer(start: start + 4, count: Int(count))
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// Reads the word that opens a container, and returns the index of its end and its number of elements.
  private mutating func open() -> (end: Int, count: Int) {
    let word = unsafe words[place]
    unsafe place += 1
    return (Int(word & 0xFFFF_FFFF) - 1, Int(word >> 32 & 0xFF_FFFF))
  }

  private mutating func members() -> [String: JSONValue] {
    let (end, count) = unsafe open()
    var members = [String: JSONValue](minimumCapacity: count)
    while unsafe place < end {
      let key = unsafe string()
      let value = unsafe value()
      if members[key] == nil { members[key] = value }
    }
    unsafe place += 1
    return members
  }

  private mutating func elements() -> [JSONValue] {
    let (end, count) = unsafe open()
    var elements: [JSONValue] = []
    elements.reserveCapacity(count)
    while unsafe place < end { unsafe elements.append(value()) }
    unsafe place += 1
    return elements
  }
}

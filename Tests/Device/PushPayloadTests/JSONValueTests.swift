import Foundation
import PushPayload
import TestSupport
import Testing

@Suite("JSON values")
struct JSONValueTests {
  @Test(
    "keep the types that were written",
    arguments: [
      ("null", JSONValue.null), ("true", true), ("1", 1), ("1.5", 1.5), ("-7", -7),
      ("9223372036854775807", .integer(.max)), ("\"é\\u0000\"", "é\0"), ("[]", []), ("{}", [:]),
      ("{\"a\":[1,null,{\"b\":false}]}", ["a": [1, .null, ["b": false]]]),
      ("1e2", 100), ("-0", 0), ("9223372036854775808", 9223372036854775808.0), (" \n[ ]\t", []),
      (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""a\u00e9\uD83D\uDE00z""#, "aé😀z"),
      (#"{"a":1,"a":2}"#, ["a": 1]), ("\u{FEFF}1", 1),
    ] as [(String, JSONValue)])
  func types(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: text) == value)
    #expect(try JSONValue(parsing: value.serialized()) == value)
  }

  @Test("a Boolean is not a number, and a number is not a Boolean")
  func truthAndNumber() throws {
    #expect(try JSONValue(parsing: "1").bool == nil)
    #expect(try JSONValue(parsing: "true").number == nil)
  }

  @Test(
    "invalid JSON is refused with line and column, and without quoting it",
    arguments: [
      ("", "line 1, column 1: ends where a value is missing"), ("{", "line 1, column 2: ends"),
      ("{\"secret\":}", "line 1, column 11: "), ("nul", "line 1, column 1: "),
      ("[1\n,]", "line 2, column 2: "), ("[1", "column 3: ends"), ("[1}", "column 3: "),
      ("\u{FEFF}x", ": "), ("[1e999]", "column 2: has a number that is too large"),
      ("'a'", "column 1: "),
      ("01", "begins with 0"), ("1.", "a digit is missing"), ("-", "a digit is missing"),
      ("\"é\n\"", "column 3: has a control character"), ("\"\\x\"", "unknown escape sequence"),
      (#""\uD83D""#, "unpaired surrogate"), (#""\uDE00\uD83D""#, "unpaired surrogate"),
      (#""\uD83Dx""#, "unpaired surrogate"), (#""\u12g4""#, "four hexadecimal digits"),
      ("{\"a\":1,}", "column 8: "), ("{a:1}", "column 2: "), ("1 2", "after its end"),
      ("\"a", "the end of a text"),
    ])
  func refused(text: String, message: String) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error?.message.hasPrefix("not JSON: line ") == true)
    #expect(error?.message.contains(message) == true)
    #expect(error?.message.contains("secret") == false)
  }

  @Test(
    "a repeated key is refused where it is asked for, at its second place, in whatever way it is written",
    arguments: [
      (#"{"a":1,"b":2,"a":3}"#, 14), (#"{"a":1,"\u0061":2}"#, 8), (#"[{"x":{"a":1,"a":1}}]"#, 14),
    ])
  func repeatedKeys(text: String, column: Int) throws {
    #expect(throws: Never.self) { try JSONValue(parsing: text) }
    let error = #expect(throws: JSONError.self) {
      try JSONValue(parsing: Array(text.utf8), refusingRepeatedKeys: true)
    }
    #expect(
      error?.message
        == "ambiguous JSON: line 1, column \(column): repeats a key of the same object")
  }

  @Test("the same key in different objects is no repeated key")
  func keysOfOthers() throws {
    let text = #"{"a":{"a":1},"b":[{"a":1},{"a":2}],"A":1}"#
    #expect(
      try JSONValue(parsing: Array(text.utf8), refusingRepeatedKeys: true)
        == JSONValue(parsing: text))
  }

  @Test("bytes that are not UTF-8 are refused with line and column")
  func encoding() {
    let error = #expect(throws: JSONError.self) {
      try JSONValue(parsing: Data("[\n\"é".utf8) + [0xC3] + Data("\"]".utf8))
    }
    #expect(
      error?.message
        == "not JSON: line 2, column 3: is not valid UTF-8; a character is cut off: make the text again"
    )
  }

  @Test("512 levels of nesting are read, and 513 are refused")
  func depth() throws {
    let nested = { (depth: Int) in
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(throws: Never.self) { try JSONValue(parsing: nested(512)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: nested(513)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: nested(100_000)) }
  }

  @Test("equal values give equal bytes, whatever the order of their keys")
  func order() throws {
    let one = try JSONValue(parsing: #"{"b":1,"a":"https://x/y"}"#)
    let other = try JSONValue(parsing: #"{"a":"https://x/y","b":1}"#)
    #expect(one.serialized() == other.serialized())
    #expect(String(decoding: one.serialized(), as: UTF8.self) == #"{"a":"https://x/y","b":1}"#)
  }

  @Test(
    "values are written as Foundation writes them, byte for byte", arguments: [1, 2] as [UInt64])
  func writing(seed: UInt64) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let value = Self.made(depth: 4, &random)
      #expect(value.serialized() == (try encoder.encode(value)))
    }
  }

  private static func made(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth == 0 ? 6 : 9), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2: return .integer(.random(in: .min...(.max), using: &random))
    case 3: return .number(Double(bitPattern: .random(in: 0...(.max), using: &random)))
    case 4: return .number(Double(Int.random(in: -1000...1000, using: &random)) / 4)
    case 5: return .string(text(&random))
    case 6, 7:
      let count = Int.random(in: 0..<5, using: &random)
      return .array((0..<count).map { _ in made(depth: depth - 1, &random) })
    default:
      var members: [String: JSONValue] = [:]
      for _ in 0..<Int.random(in: 0..<6, using: &random) {
        members[text(&random)] = made(depth: depth - 1, &random)
      }
      return .object(members)
    }
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    let pieces = [
      "a", "B", "10", "9", "/", "\"", "\\", "\u{0}", "\n", "\r\n", "\u{1f}", "\u{7f}", "é",
      "e\u{301}", "\u{2028}", "😀", "ß",
    ]
    return (0..<Int.random(in: 0..<5, using: &random)).map { _ in
      pieces[Int.random(in: 0..<pieces.count, using: &random)]
    }.joined()
  }

  @Test(
    "mutated documents are read or refused without a trap", arguments: [1, 2, 3, 4] as [UInt64])
  func mutations(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let document = Array(
      #"{"aps":{"alert":{"title":"é","body":"b"},"badge":1},"_st":{"x":[1,2.5e3,null]}}"#.utf8)
    for _ in 0..<1000 {
      var bytes = document
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
          in: .min ... .max, using: &random)
      }
      // Foundation's parser is independent of ours, and less strict in a few cases.
      let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      guard let value = try? JSONValue(parsing: Data(bytes)) else { continue }
      #expect(theirs != nil)
      let payload = APNsPayload(value)
      _ = payload.findings()
      _ = DialectTable.standard.read(value)
    }
  }
}

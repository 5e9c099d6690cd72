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
    ] as [(String, JSONValue)])
  func types(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: text) == value)
    #expect(try JSONValue(parsing: value.serialized()) == value)
  }

  @Test("a truth value is no number and a number no truth value")
  func truthAndNumber() throws {
    #expect(try JSONValue(parsing: "1").bool == nil)
    #expect(try JSONValue(parsing: "true").number == nil)
  }

  @Test(
    "what is not JSON is refused without repeating it",
    arguments: [
      "", "{", "{\"secret\":}", "nul", "[1", "\u{FEFF}x", "{\"a\":1e999}", "'a'",
    ])
  func refused(text: String) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error?.message.contains("secret") == false)
  }

  @Test("512 levels of nesting are the most")
  func depth() throws {
    let nested = { (depth: Int) in
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(throws: Never.self) { try JSONValue(parsing: nested(500)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: nested(600)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: nested(100_000)) }
  }

  @Test("equal values give equal bytes, whatever the order of their keys")
  func order() throws {
    let one = try JSONValue(parsing: #"{"b":1,"a":"https://x/y"}"#)
    let other = try JSONValue(parsing: #"{"a":"https://x/y","b":1}"#)
    #expect(one.serialized() == other.serialized())
    #expect(String(decoding: one.serialized(), as: UTF8.self) == #"{"a":"https://x/y","b":1}"#)
  }

  @Test("mutated documents are read or refused, never fatal", arguments: [1, 2, 3, 4] as [UInt64])
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
      guard let value = try? JSONValue(parsing: Data(bytes)) else { continue }
      let payload = APNsPayload(value)
      _ = payload.findings()
      _ = DialectTable.standard.read(value)
    }
  }
}

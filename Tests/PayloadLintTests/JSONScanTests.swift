import Foundation
import PushPayload
import TestSupport
import Testing

@testable import PayloadLint

@Suite("Where values stand in a JSON file")
struct JSONScanTests {
  private func position(_ json: String, _ path: String) -> String {
    let scan = JSONScan(Array(json.utf8))
    let position = scan.position(of: scan.offset(of: path))
    return "\(position.line):\(position.column)"
  }

  @Test("a member stands where its key does, an element where its value does")
  func positions() {
    let json = """
      {
        "aps": {"alert": "Tür", "badge": 3},
        "com.batch": {"list": [1, {"a": 2}]}
      }
      """
    #expect(position(json, "$") == "1:1")
    #expect(position(json, "$.aps") == "2:3")
    #expect(position(json, "$.aps.badge") == "2:27", "columns count scalars, not bytes")
    #expect(position(json, "$['com.batch'].list[0]") == "3:26")
    #expect(position(json, "$['com.batch'].list[1].a") == "3:30")
  }

  @Test("what is not there stands where its parent does")
  func missing() {
    let json = #"{"aps": {"alert": "A"}, "apsx": 1, "t": "[1]"}"#
    #expect(position(json, "$.aps.badge") == "1:2")
    #expect(position(json, "$.apsx.y") == "1:25")
    #expect(position(json, "$.ap") == "1:1")
    #expect(position(json, "$.t<json>[0]") == "1:36")
    #expect(position("", "$.aps") == "1:1")
  }

  @Test(
    "paths are those of PushPayload", arguments: ["a", "a.b", "", "é", "a b", "_st", "x-y", "[0]"])
  func paths(key: String) throws {
    let object = JSONValue.object([key: 1]).serialized()
    let scan = JSONScan(Array(object))
    let escaped = key.replacing("\\", with: "\\\\").replacing(".", with: "\\.")
    if !key.isEmpty, key != "[0]" {
      #expect(scan.path(of: 1) == PayloadPath(escaped).description)
    }
    #expect(scan.offset(of: scan.path(of: 1)) == 1)
  }

  @Test(
    "a fault is found where it is",
    arguments: [
      ("", "1:1"), ("{", "1:2"), ("{\"a\" 1}", "1:6"), ("{\n  \"a\": 1,\n}", "3:1"),
      ("[1 2]", "1:4"), ("[01]", "1:3"), ("[1.]", "1:4"), ("[+1]", "1:2"), ("[1e]", "1:4"),
      ("{'a': 1}", "1:2"), ("[nul]", "1:2"), ("[1] x", "1:5"), ("\"a", "1:3"),
      ("\"\\x\"", "1:3"), ("\"\\u12\"", "1:3"), ("[\"a\nb\"]", "1:4"), ("{\"a\":}", "1:6"),
      ("[,]", "1:2"), ("// x\n[]", "1:1"), ("{\"a\":1 \"b\":2}", "1:8"),
    ])
  func faults(json: String, place: String) throws {
    let scan = JSONScan(Array(json.utf8))
    let fault = try #require(scan.fault)
    let position = scan.position(of: fault.offset)
    #expect("\(position.line):\(position.column)" == place && fault.kind == .syntax)
    // Foundation takes a comma before a closing brace; RFC 8259 and other readers do not.
    if !json.contains(",\n}") {
      #expect(throws: JSONError.self) { try JSONValue(parsing: json) }
    }
  }

  @Test("what it takes, the decoder takes", arguments: LintFixture.rules + LintFixture.dialects)
  func agreement(fixture: LintFixture) {
    let scan = JSONScan(fixture.bytes)
    #expect(scan.fault != nil || (try? JSONValue(parsing: Data(fixture.bytes))) != nil)
  }

  @Test("it takes every kind of value and escape")
  func everything() {
    let json =
      #" [ {} , [ ] , "\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00" , -0 , 0.5e-10 , 1E+2, true, false, null ] "#
    let scan = JSONScan(Array(json.utf8))
    #expect(scan.fault == nil && scan.nodes.count == 10)
  }

  @Test("a key twice in one object is told, however it is written; in two objects it is none")
  func repeated() {
    let scan = JSONScan(
      Array(#"{"a": 1, "\u0061": 2, "b": {"a": 3}, "c": [{"a": 1}, {"a": 1}]}"#.utf8))
    #expect(scan.repeated.map { scan.path(of: $0) } == ["$.a"])
  }
}

import Foundation
import PushPayload
import TestSupport
import Testing

@testable import PayloadLint

@Suite("Positions of values in a JSON file")
struct JSONScanTests {
  private func position(_ json: String, _ path: String) -> String {
    let scan = JSONScan(Array(json.utf8))
    let position = scan.position(of: scan.offset(of: path))
    return "\(position.line):\(position.column)"
  }

  @Test("a member has the position of its key, an element that of its value")
  func positions() {
    let json = """
      {
        "aps": {"alert": "Tür", "badge": 3},
        "com.batch": {"list": [1, {"a": 2}]}
      }
      """
    #expect(position(json, "$") == "1:1")
    #expect(position(json, "$.aps") == "2:3")
    #expect(position(json, "$.aps.badge") == "2:27", "columns count Unicode scalars, not bytes")
    #expect(position(json, "$['com.batch'].list[0]") == "3:26")
    #expect(position(json, "$['com.batch'].list[1].a") == "3:30")
  }

  @Test("a missing value has the position of its parent")
  func missing() {
    let json = #"{"aps": {"alert": "A"}, "apsx": 1, "t": "[1]"}"#
    #expect(position(json, "$.aps.badge") == "1:2")
    #expect(position(json, "$.apsx.y") == "1:25")
    #expect(position(json, "$.ap") == "1:1")
    #expect(position(json, "$.t<json>[0]") == "1:36")
    #expect(position("", "$.aps") == "1:1")
  }

  @Test(
    "paths are written as by PayloadPath",
    arguments: ["a", "a.b", "", "é", "a b", "_st", "x-y", "[0]"])
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
    "a syntax error has its position",
    arguments: [
      ("", "1:1"), ("{", "1:2"), ("{\"a\" 1}", "1:6"), ("{\n  \"a\": 1,\n}", "3:1"),
      ("[1 2]", "1:4"), ("[01]", "1:3"), ("[1.]", "1:4"), ("[+1]", "1:2"), ("[1e]", "1:4"),
      ("{'a': 1}", "1:2"), ("[nul]", "1:2"), ("[1] x", "1:5"), ("\"a", "1:3"),
      ("\"\\x\"", "1:3"), ("\"\\u12\"", "1:3"), ("[\"a\nb\"]", "1:4"), ("{\"a\":}", "1:6"),
      ("[,]", "1:2"), ("// x\n[]", "1:1"), ("{\"a\":1 \"b\":2}", "1:8"),
    ])
  func faults(json: String, expected: String) throws {
    let scan = JSONScan(Array(json.utf8))
    let fault = try #require(scan.fault)
    let position = scan.position(of: fault.offset)
    #expect("\(position.line):\(position.column)" == expected && fault.kind == .syntax)
    // JSONValue is checked too, apart from the comma before a closing brace.
    if !json.contains(",\n}") {
      #expect(throws: JSONError.self) { try JSONValue(parsing: json) }
    }
  }

  @Test(
    "documents without an error are read by JSONValue too",
    arguments: LintFixture.rules + LintFixture.dialects)
  func agreement(fixture: LintFixture) {
    let scan = JSONScan(fixture.bytes)
    #expect(scan.fault != nil || (try? JSONValue(parsing: Data(fixture.bytes))) != nil)
  }

  @Test("every type of value and every escape is read")
  func everything() {
    let json =
      #" [ {} , [ ] , "\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00" , -0 , 0.5e-10 , 1E+2, true, false, null ] "#
    let scan = JSONScan(Array(json.utf8))
    #expect(scan.fault == nil && scan.nodes.count == 10)
  }

  @Test(
    "a key twice in one object is found, however it is written; in two objects it is not repeated")
  func repeated() {
    let scan = JSONScan(
      Array(#"{"a": 1, "\u0061": 2, "b": {"a": 3}, "c": [{"a": 1}, {"a": 1}]}"#.utf8))
    #expect(scan.repeated.map { scan.path(of: $0) } == ["$.a"])
  }
}

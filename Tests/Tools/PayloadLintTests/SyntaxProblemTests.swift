import PayloadLint
import PushPayload
import Testing

/// A file that is not JSON, with the place and the beginning of the finding.
struct BrokenFile: CustomTestStringConvertible, Sendable {
  var text: String
  var position: String
  var message: String

  init(_ text: String, _ position: String, _ message: String) {
    self.text = text
    self.position = position
    self.message = message
  }

  var testDescription: String { text }
}

@Suite("What M101 says about a file that is not JSON")
struct SyntaxProblemTests {
  static let files = [
    // Punctuation
    BrokenFile(#"{"a": 1,}"#, "1:8", "has a comma before the closing bracket"),
    BrokenFile("{\"a\": [1,\n 2,\n]}", "2:3", "has a comma before the closing bracket"),
    BrokenFile(#"{"a": 1,, "b": 2}"#, "1:9", "has a comma too many"),
    BrokenFile(#"{,"a": 1}"#, "1:2", "has a comma too many"),
    BrokenFile(#"{"a": 1 "b": 2}"#, "1:9", "has no comma between two values"),
    BrokenFile("{\"a\": \"x\"\n \"b\": 2}", "2:2", "has no comma between two values"),
    BrokenFile(#"{"a": {"b": 1} {"c": 2}}"#, "1:16", "has no comma between two values"),
    BrokenFile("[1 2]", "1:4", "has no comma between two values"),
    BrokenFile("[0 1]", "1:4", "has no comma between two values"),
    BrokenFile(#"{"a" 1}"#, "1:6", "has a key without a colon"),
    BrokenFile(#"{"a" "b"}"#, "1:6", "has a key without a colon"),
    BrokenFile(#"{"a"}"#, "1:5", "has a key without a colon and a value"),
    BrokenFile(#"{"a", "b": 1}"#, "1:5", "has a key without a colon and a value"),
    BrokenFile(#"{"a": }"#, "1:7", "has a key without a value"),
    BrokenFile(#"{"a": , "b": 1}"#, "1:7", "has a key without a value"),
    BrokenFile(#"{"a": [1}"#, "1:9", "has “}” where “]” belongs"),
    BrokenFile(#"{"a": 1]"#, "1:8", "has “]” where “}” belongs"),
    BrokenFile(#"{"a": 1}}"#, "1:9", "has a closing bracket too many"),
    BrokenFile(#"["a": 1]"#, "1:1", "has an object in [ ]"),
    BrokenFile(#"{"a": "b": 1}"#, "1:10", "has a colon too many"),
    BrokenFile(#"{"a": {{b}}}"#, "1:8", "has a placeholder outside of a text"),
    BrokenFile(#"{"a": ${b}}"#, "1:7", "has a placeholder outside of a text"),
    BrokenFile(#"{"a": 1, {"b": 2}}"#, "1:10", "has an object where a key belongs"),
    // Quotation marks
    BrokenFile("{'a': 1}", "1:2", "has single quotes"),
    BrokenFile("{\"a\": 'b'}", "1:7", "has single quotes"),
    BrokenFile("{\"a\": `b`}", "1:7", "has single quotes"),
    BrokenFile("{“a”: 1}", "1:2", "has curly quotation marks"),
    BrokenFile("{\"a\": „b“}", "1:7", "has curly quotation marks"),
    BrokenFile("{«a»: 1}", "1:2", "has curly quotation marks"),
    BrokenFile("{a: 1}", "1:2", "has a key without quotation marks"),
    BrokenFile("{\"a\": 1, b: 2}", "1:10", "has a key without quotation marks"),
    BrokenFile(#"{"a": b}"#, "1:7", "has a text without quotation marks"),
    BrokenFile(#"{"a": "b"#, "1:7", "has a text without a closing quotation mark"),
    BrokenFile("{\"a\": \"b\n}", "1:7", "has a text without a closing quotation mark"),
    BrokenFile(#"{"a": "b, "c": 1}"#, "1:7", "has a text without a closing quotation mark"),
    BrokenFile(#"{"a": "say "hi" now"}"#, "1:13", "has a quotation mark inside a text"),
    BrokenFile(#"{\"a\": 1}"#, "1:2", "has backslashes before its quotation marks"),
    // Comments and characters
    BrokenFile("{\"a\": 1 // one\n}", "1:9", "has a comment"),
    BrokenFile("{/* one */ \"a\": 1}", "1:2", "has a comment"),
    BrokenFile("// one\n{\"a\": 1}", "1:1", "has a comment"),
    BrokenFile("{\"a\": 1}\n// one", "2:1", "has a comment"),
    BrokenFile("{\"a\": 1 # one\n}", "1:9", "has a comment"),
    BrokenFile("{\"a\": \"b\nc\"}", "1:9", "has a line break inside a text"),
    BrokenFile("{\"a\": \"b\tc\"}", "1:9", "has a tab inside a text"),
    BrokenFile("{\"a\": \"b\u{1}c\"}", "1:9", "has a control character inside a text"),
    BrokenFile("{\"a\":\u{A0}1}", "1:6", "has an invisible character (U+00A0)"),
    BrokenFile("{\u{200B}\"a\": 1}", "1:2", "has an invisible character (U+200B)"),
    BrokenFile("{\"a\"：1}", "1:5", "has full-width punctuation"),
    BrokenFile(#"{"a": "\'"}"#, "1:9", "has \\' in a text"),
    BrokenFile(#"{"a": "\u{1F600}"}"#, "1:9", "has \\u{…} in a text"),
    BrokenFile(#"{"a": "C:\media"}"#, "1:11", "has an unknown escape sequence; write \\\\"),
    BrokenFile(#"{"a": "\ud83d"}"#, "1:14", "has an unpaired surrogate"),
    // Words and numbers
    BrokenFile(#"{"a": True}"#, "1:7", "has True, which is not JSON"),
    BrokenFile(#"{"a": None}"#, "1:7", "has None, which is not JSON"),
    BrokenFile(#"{"a": nil}"#, "1:7", "has nil, which is not JSON"),
    BrokenFile(#"{"a": NaN}"#, "1:7", "has NaN, which JSON does not have"),
    BrokenFile(#"{"a": -Infinity}"#, "1:8", "has Infinity, which JSON does not have"),
    BrokenFile("{\"a\": u'b'}", "1:7", "is the printed form of a Python dictionary"),
    BrokenFile(#"{"a": 01}"#, "1:8", "has a number that begins with 0"),
    BrokenFile(#"{"a": 1.}"#, "1:9", "has a number without a digit"),
    BrokenFile(#"{"a": 1e}"#, "1:9", "has a number without a digit"),
    BrokenFile(#"{"a": .5}"#, "1:7", "has a number that begins with a point"),
    BrokenFile(#"{"a": +1}"#, "1:7", "has a number with a plus sign"),
    BrokenFile(#"{"a": 0x1F}"#, "1:8", "has a hexadecimal number"),
    BrokenFile(#"{"a": 1, ...}"#, "1:10", "has dots in place of something left out"),
    BrokenFile(#"{"a": 1, …}"#, "1:10", "has dots in place of something left out"),
    // The end
    BrokenFile(#"{"a": {"b": 1}"#, "1:15", "ends while 1 bracket is open"),
    BrokenFile(#"{"a": [1, 2"#, "1:12", "ends while 2 brackets are open; add the missing “]”"),
    BrokenFile(#"{"a": tru"#, "1:10", "ends while 1 bracket is open"),
    BrokenFile("{\"a\": 1}\n{\"a\": 2}", "2:1", "has a second document after the first"),
    BrokenFile(#"{"a": 1}, {"a": 2}"#, "1:9", "has several documents"),
    BrokenFile(#"{"a": 1},"#, "1:9", "has a comma after its end"),
    BrokenFile(#"{"a": 1};"#, "1:9", "has a semicolon after its end"),
    BrokenFile(#"{"a": 1}'"#, "1:9", "has a quotation mark of a shell command"),
    BrokenFile(#"{"a": 1} sent"#, "1:10", "has text after its end"),
    BrokenFile(#""aps": {"alert": "A"}"#, "1:1", "has no braces around it"),
    // Other formats
    BrokenFile("", "1:1", "is empty"),
    BrokenFile(" \n ", "1:1", "is empty"),
    BrokenFile("\u{FEFF}", "1:1", "is empty"),
    BrokenFile("{\"\0\": 1}", "1:1", "has zero bytes"),
    BrokenFile("<!DOCTYPE html>", "1:1", "is an HTML page"),
    BrokenFile("<push/>", "1:1", "is XML or HTML"),
    BrokenFile("<?xml?><plist/>", "1:1", "is a property list"),
    BrokenFile("alert=Hi&badge=1", "1:1", "is form data"),
    BrokenFile("curl -d '{\"aps\":{}}' https://example.com", "1:1", "is a shell command"),
    BrokenFile("POST /3/device/00 HTTP/2\n\n{\"aps\":{}}", "1:1", "is an HTTP request"),
    BrokenFile("12:00 sent {\"aps\":{}}", "1:1", "has text before the JSON, which begins at 1:12"),
    BrokenFile("[12:00] {\"aps\":{}}", "1:1", "has text before the JSON, which begins at 1:9"),
    BrokenFile("let p = {\"aps\":{}}", "1:1", "has text before the JSON"),
    BrokenFile("aps:\n  alert: Hi", "1:1", "is YAML, or has no braces around it"),
    BrokenFile("eyJhcHMiOnt9fQ==", "1:1", "is base64"),
    BrokenFile("{\n aps = {\n };\n}", "2:2", "is the printed form of a dictionary"),
    BrokenFile("{\"aps\" = {};}", "1:8", "is the printed form of a dictionary"),
    BrokenFile("{\"aps\" => {}}", "1:8", "has =>, as PHP and Ruby write"),
    BrokenFile("[AnyHashable(\"aps\"): {}]", "1:2", "is the printed form of a Swift dictionary"),
  ]

  @Test("names the fault, its place and the remedy", arguments: files)
  func problem(file: BrokenFile) throws {
    let entries = LintReport(file.text).entries.filter { $0.rule.code == "M101" }
    let entry = try #require(entries.first)
    #expect("\(entry.position.line):\(entry.position.column)" == file.position)
    #expect(entry.message.hasPrefix(file.message), "\(entry.message)")
  }

  @Test("a file that is cut off at any byte is reported")
  func truncation() {
    let alert = #"{"title": "Tür", "loc-args": ["a", 1.5e3, true, null]}"#
    let whole = #"{"aps": {"alert": \#(alert)}, "x": "\u00e9"}"#
    let bytes = Array(whole.utf8)
    for count in bytes.indices {
      let subject = LintSubject(bytes[..<count], now: nil)
      let codes = Set(LintReport(subject).entries.map(\.rule.code))
      #expect(codes == ["M101"] || codes == ["M102"], "\(count): \(codes)")
    }
  }
}

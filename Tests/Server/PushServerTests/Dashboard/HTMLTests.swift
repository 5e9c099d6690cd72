import Markup
import Testing

@testable import PushServer

@Suite("Markup")
struct HTMLTests {
  @Test(
    "interpolated text is escaped",
    arguments: [
      ("<b>", "&lt;b&gt;"), ("\"'&", "&quot;&#39;&amp;"), ("é☀︎👩‍👩‍👧", "é☀︎👩‍👩‍👧"),
      // A combining mark makes one character with the sign before it.
      ("<\u{301}script>", "&lt;\u{301}script&gt;"), ("\"\u{200D}x", "&quot;\u{200D}x"),
      ("a\u{0}b\u{85}c\u{7F}", "a\u{FFFD}b\u{FFFD}c\u{FFFD}"), ("\r\n\t", "&#13;\n\t"), ("", ""),
    ])
  func escapes(text: String, expected: String) {
    let html: HTML = "<p title=\"\(text)\">\(text)</p>"
    #expect(html.markup == "<p title=\"\(expected)\">\(expected)</p>")
  }

  @Test("interpolated markup is kept, arrays are joined, and nil is empty")
  func parts() {
    let part: HTML = "<i>\("&")</i>"
    let html: HTML = "\(part)\([part, part])\(nil as HTML?)\(1)\(" checked", if: false)"
    #expect(html.markup == "<i>&amp;</i><i>&amp;</i><i>&amp;</i>1")
  }
}

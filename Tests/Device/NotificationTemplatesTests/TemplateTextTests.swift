import NotificationTemplates
import PushPayload
import Testing

@Suite("Texts and colors of templates")
struct TemplateTextTests {
  @Test(
    "HTML's inline tags become marks, and other tags go",
    arguments: [
      ("plain", "plain", []), ("a &amp; b &lt;c&gt; &#65;&#x42;&nbsp;", "a & b <c> AB\u{A0}", []),
      ("<b>bold</b>", "bold", ["bold 0..<4"]),
      ("a <strong class='x'>b</strong> <em>c</em>", "a b c", ["bold 2..<3", "italic 4..<5"]),
      ("<b>1<b>2</b>3</b>4", "1234", ["bold 0..<3"]), ("<b>a</b><b>b</b>", "ab", ["bold 0..<2"]),
      ("<i>open", "open", ["italic 0..<4"]), ("</b>close", "close", []),
      ("<s>a</s><strike>b</strike><u>c</u>", "abc", ["strikethrough 0..<2", "underline 2..<3"]),
      ("one<br>two<br/>three", "one\ntwo\nthree", []), ("<p>one</p><p>two</p>", "one\ntwo", []),
      ("1 < 2 & 3", "1 < 2 & 3", []), ("<", "<", []), ("&unknown;", "&unknown;", []),
      ("&#55296;&#x110000;", "&#55296;&#x110000;", []), ("<span>a</span>", "a", []),
      ("\u{1F468}\u{200D}\u{1F469}<b>x</b>", "\u{1F468}\u{200D}\u{1F469}x", ["bold 5..<6"]),
      ("<b></b>", "", []),
    ] as [(String, String, [String])])
  func html(html: String, string: String, marks: [String]) {
    let text = TemplateText(html: html)
    #expect(text.string == string)
    #expect(text.marks.map { "\($0.style.rawValue) \($0.range)" } == marks)
    #expect(TemplateText(html: text.html) == text, "\(text.html)")
  }

  @Test("at most 64 marks are kept, and a long run of brackets is read in one pass")
  func bounds() {
    let many = String(repeating: "<b>a</b> ", count: 65)
    #expect(TemplateText(html: many).marks.count == 64)
    #expect(TemplateText(html: String(many.dropLast(9))).marks.count == 64)
    let brackets = String(repeating: "<a", count: 8000)
    #expect(TemplateText(html: brackets).string == brackets)
  }

  @Test(
    "colors are read with and without a number sign, the alpha last",
    arguments: [
      ("#FFFFFF", "#FFFFFF"), ("1c1c1e", "#1C1C1E"), ("#01020304", "#01020304"),
      ("AABBCCFF", "#AABBCC"), ("#FFF", nil), ("#GGGGGG", nil), ("", nil), ("#", nil),
      ("#FFFFFFFFF", nil), ("#\u{0661}\u{0662}\u{0663}", nil),
    ] as [(String, String?)])
  func colors(text: String, hex: String?) {
    #expect(TemplateColor(hex: text)?.hex == hex)
  }

  @Test(
    "a time is seconds or milliseconds, a number or a text, or ISO 8601",
    arguments: [
      (1_795_960_000, 1_795_960_000), ("1795960000", 1_795_960_000),
      (1_795_960_000_000, 1_795_960_000), (" 1795960000.5 ", 1_795_960_000.5),
      ("2026-11-30T00:00:00Z", 1_795_996_800),
      ("1970-01-01T00:00:00Z", 0), ("1013-11-30T00:00:00Z", nil),
      ("5138-11-16T09:46:39Z", 99_999_999_999),
      ("5138-11-16T09:46:40Z", nil), (-1, nil), ("soon", nil), (true, nil),
      (1e300, nil), ("nan", nil), ([1], nil),
    ] as [(JSONValue, Double?)])
  func dates(value: JSONValue, seconds: Double?) {
    let (document, _) = readOwn(["kind": "timer", "end": value])
    #expect(document["end"]?.number == seconds)
  }

  @Test(
    "a flag is a Boolean, 0 or 1, or a text of these",
    arguments: [
      (true, true), (false, false), (1, true), (0, false), ("1", true), ("False", false),
      (2, nil), ("maybe", nil), ([], nil),
    ] as [(JSONValue, Bool?)])
  func flags(value: JSONValue, flag: Bool?) {
    let pages: JSONValue = [["media": ["url": "a"]], ["media": ["url": "b"]]]
    let (document, findings) = readOwn(["kind": "carousel", "pages": pages, "wraps": value])
    #expect((document["wraps"]?.bool ?? true) == (flag ?? true))
    #expect(findings.isEmpty == (flag != nil))
  }
}

import Liquid
import PushPayload
import Testing

@Suite("Characters outside of quotes in Liquid")
struct CharacterTests {
  static let refused: [(source: String, column: Int, character: String, remedy: String)] = [
    ("{% if plan == “gold” %}x{% endif %}", 15, "LEFT DOUBLE QUOTATION MARK (U+201C)", quotes),
    ("{{ a | default: ‘you’ }}", 17, "LEFT SINGLE QUOTATION MARK (U+2018)", quotes),
    ("{{ „a“ }}", 4, "DOUBLE LOW-9 QUOTATION MARK (U+201E)", quotes),
    ("{{ «a» }}", 4, "LEFT-POINTING DOUBLE ANGLE QUOTATION MARK (U+00AB)", quotes),
    ("{{ a.b’s }}", 7, "RIGHT SINGLE QUOTATION MARK (U+2019)", quotes),
    ("{{ ″a″ }}", 4, "DOUBLE PRIME (U+2033)", quotes),
    ("{{ ＂a＂ }}", 4, "FULLWIDTH QUOTATION MARK (U+FF02)", quotes),
    ("{{ a\u{A0}}}", 5, "NO-BREAK SPACE (U+00A0)", space),
    ("{{\u{202F}a }}", 3, "NARROW NO-BREAK SPACE (U+202F)", space),
    ("{{ a\u{3000}| upcase }}", 5, "IDEOGRAPHIC SPACE (U+3000)", space),
    ("{{ a\u{2028}}}", 5, "LINE SEPARATOR (U+2028)", space),
    ("{{ a\u{200B} }}", 5, "ZERO WIDTH SPACE (U+200B)", unseen),
    ("{{ a\u{200D}b }}", 5, "ZERO WIDTH JOINER (U+200D)", unseen),
    ("{{ \u{FEFF}a }}", 4, "ZERO WIDTH NO-BREAK SPACE (U+FEFF)", unseen),
    ("{{ a\u{AD}b }}", 5, "SOFT HYPHEN (U+00AD)", unseen),
    ("{{ a\u{FE0F} }}", 5, "VARIATION SELECTOR-16 (U+FE0F)", unseen),
    ("{{ a\u{0} }}", 5, "U+0000", unseen),
    ("{{ first–name }}", 9, "EN DASH (U+2013)", dash),
    ("{{ a — b }}", 6, "EM DASH (U+2014)", dash),
    ("{{ 1 | minus: −1 }}", 15, "MINUS SIGN (U+2212)", dash),
    ("{{ custom.größe }}", 13, "LATIN SMALL LETTER O WITH DIAERESIS (U+00F6)", name),
    ("{{ 名前 }}", 4, "CJK UNIFIED IDEOGRAPH-540D (U+540D)", name),
    ("{{ аge }}", 4, "CYRILLIC SMALL LETTER A (U+0430)", name),
    ("{{ a | upcasé }}", 13, "LATIN SMALL LETTER E WITH ACUTE (U+00E9)", name),
    ("{{ 'a'\u{301} }}", 7, "COMBINING ACUTE ACCENT (U+0301)", name),
    ("{{ a１ }}", 5, "FULLWIDTH DIGIT ONE (U+FF11)", name),
    ("{{ 🎉 }}", 4, "PARTY POPPER (U+1F389)", other),
    ("{{ a ｜ upcase }}", 6, "FULLWIDTH VERTICAL LINE (U+FF5C)", other),
    ("{{ a\u{E000} }}", 5, "U+E000", other),
    // In each place of a tag.
    ("{%\u{A0}if a %}{% endif %}", 3, "NO-BREAK SPACE (U+00A0)", space),
    ("{%- “if” a %}", 5, "LEFT DOUBLE QUOTATION MARK (U+201C)", quotes),
    ("{% if a %}{% endif\u{A0}%}", 19, "NO-BREAK SPACE (U+00A0)", space),
    ("{% if a %}{% else “b” %}{% endif %}", 19, "LEFT DOUBLE QUOTATION MARK (U+201C)", quotes),
    ("{% case a %}{% when “b” %}{% endcase %}", 21, "LEFT DOUBLE QUOTATION MARK (U+201C)", quotes),
    ("{% assign ü = 1 %}", 11, "LATIN SMALL LETTER U WITH DIAERESIS (U+00FC)", name),
    ("{% for i in (1…3) %}{% endfor %}", 15, "HORIZONTAL ELLIPSIS (U+2026)", other),
    ("{% cycle 'a', “b” %}", 15, "LEFT DOUBLE QUOTATION MARK (U+201C)", quotes),
    ("{% raw\u{A0}%}{% endraw %}", 7, "NO-BREAK SPACE (U+00A0)", space),
    ("{% liquid echo “a” %}", 16, "LEFT DOUBLE QUOTATION MARK (U+201C)", quotes),
  ]
  private static let quotes = "use straight quotes, \" or '"
  private static let space = "write a space"
  private static let unseen = "delete it, although it cannot be seen"
  private static let dash = "write '-'"
  private static let name = "names are ASCII, so write an attribute's as custom[\"…\"]"
  private static let other = "delete it, or put it in quotes"

  @Test(
    "a character beyond ASCII is refused by its name, with its place and a remedy",
    arguments: refused)
  func refusal(source: String, column: Int, character: String, remedy: String) {
    let thrown = #expect(throws: LiquidError.self) { try Template(source) }
    #expect(thrown?.code == .syntax)
    #expect(
      thrown?.description
        == "line 1, column \(column): unexpected \(character) outside of quotes: \(remedy)")
  }

  @Test("lines are counted in front of the character")
  func line() {
    let thrown = #expect(throws: LiquidError.self) {
      try Template("“Hi”\n{% liquid\n  assign é = 1\n%}")
    }
    #expect((thrown?.line, thrown?.column) == (3, 10))
  }

  @Test(
    "the same characters are free in texts, in quotes, and in what is not Liquid",
    arguments: [
      ("“Hi” – é\u{A0}\u{200B}🎉", "“Hi” – é\u{A0}\u{200B}🎉"), ("{ { “a” } }", "{ { “a” } }"),
      ("{{ '“Hi” – é\u{A0}' }}", "“Hi” – é\u{A0}"),
      ("{{ nope | default: \"‘you’\u{200B}\" }}", "‘you’\u{200B}"),
      ("{{ custom[\"größe\"] }}{{ custom['名前'] }}", "4251"),
      ("{% raw %}{{ “a” }}{%\u{A0}b %}{% endraw %}", "{{ “a” }}{%\u{A0}b %}"),
      ("a{% comment %}{{ “a” }}{%\u{A0}b %}{% endcomment %}b", "ab"),
      ("a{% # “a” – é %}b", "ab"), ("a{% doc %}{{ “a” }}{% enddoc %}b", "ab"),
      ("{% raw %}é{% endraw%}é", "éé"),
    ])
  func free(source: String, text: String) throws {
    #expect(try render(source, ["custom": ["größe": 42, "名前": 51]]) == text)
  }
}

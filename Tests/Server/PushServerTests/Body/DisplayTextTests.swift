import Testing

@testable import PushServer

@Suite("The rule for names that people read")
struct DisplayTextTests {
  @Test(
    "names of many languages are taken",
    arguments: [
      "Ada Lovelace", "Žofie Ďáblová", "Nguye\u{302}\u{303}n", "山田　太郎", "محمد", "مهدی\u{200C}زاده",
      "क्\u{200D}ष", "שָׁלוֹם", "👩\u{200D}👩\u{200D}👧", "❤\u{FE0F}", "Shop <b> & “Co.”",
    ])
  func taken(name: String) {
    #expect(DisplayText.problem(name, upTo: 100) == nil)
  }

  @Test(
    "what people cannot see is refused by its code point",
    arguments: [
      "\u{0}", "\n", "\t", "\u{7F}", "\u{85}", "\u{A0}", "\u{AD}", "\u{34F}", "\u{61C}", "\u{115F}",
      "\u{180E}", "\u{200B}", "\u{200E}", "\u{200F}", "\u{2028}", "\u{2029}", "\u{202A}",
      "\u{202E}", "\u{2060}", "\u{2066}", "\u{2069}", "\u{2800}", "\u{3164}", "\u{E000}",
      "\u{FEFF}", "\u{FFA0}", "\u{E0041}", "\u{E0100}",
    ] as [Character])
  func hidden(character: Character) {
    let scalar = character.unicodeScalars.first?.value ?? 0
    let digits = String(scalar, radix: 16, uppercase: true)
    for name in ["A\(character)da", "\(character)Ada", "Ada\(character)"] {
      let problem = DisplayText.problem(name, upTo: 100)
      #expect(problem?.hasPrefix("has the character U+") == true, "\(String(describing: problem))")
      #expect(problem?.contains(digits) == true)
    }
  }

  @Test("code points and combining marks have limits")
  func limits() {
    let mark = "\u{301}"
    for (name, limit, isTaken) in [
      ("", 5, false), ("a", 5, true), ("aaaaa", 5, true), ("aaaaaa", 5, false),
      ("   ", 5, false), ("\u{200D}", 5, false),
      ("😀😀😀😀😀", 5, true), ("👍🏽👍🏽👍🏽", 5, false), ("👍🏽👍🏽a", 5, true),
      ("a" + String(repeating: mark, count: DisplayText.markLimit), 5, true),
      ("a" + String(repeating: mark, count: DisplayText.markLimit + 1), 9, false),
      (mark + "a", 5, false),
      ("a" + String(repeating: mark, count: 9_000), 100, false),
    ] as [(String, Int, Bool)] {
      #expect((DisplayText.problem(name, upTo: limit) == nil) == isTaken, "\(name.utf8.count)")
    }
  }

  @Test(
    "a text is cut after a whole letter or emoji",
    arguments: [
      ("abc", 3, "abc"), ("abcd", 3, "abc"), ("", 3, ""), ("👍🏽👍🏽a", 3, "👍🏽"), ("ae\u{301}", 2, "a"),
    ])
  func beginning(text: String, limit: Int, expected: String) {
    #expect(DisplayText.beginning(of: text, upTo: limit) == expected)
  }
}

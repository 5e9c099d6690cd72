import NotificationTemplates
import Testing

@Suite("Words, times and colors of layouts")
struct TemplateWordsTests {
  @Test("twenty languages have all words")
  func languages() {
    #expect(TemplateWords.languages.count == 20)
    #expect(TemplateWords.languages.values.allSatisfy { $0 == 11 })
    for language in TemplateWords.languages.keys {
      let words = TemplateWords(language: language)
      for text in [words.page(2, of: 5), words.rating(2, of: 5)] {
        #expect(text.contains("2") && text.contains("5") && !text.contains("%"), "\(language)")
      }
      #expect(!words.next.isEmpty && words.next != words.previous)
    }
  }

  @Test(
    "a language is found by its code, and English stands for the others",
    arguments: [
      ("de", "Weiter"), ("pt-BR", "Seguinte"), ("zh-Hant-TW", "下一页"), ("no", "Neste"),
      ("nn_NO", "Neste"), ("iw", "הבא"), ("eo", "Next"), ("", "Next"), ("DE", "Weiter"),
    ])
  func codes(code: String, next: String) {
    #expect(TemplateWords(language: code).next == next)
  }

  @Test(
    "a countdown counts up to its end, and shows days and hours where there are any",
    arguments: [
      (0.0, "00:00"), (-5, "00:00"), (0.2, "00:01"), (59.4, "01:00"), (61, "01:01"),
      (3599, "59:59"), (3600, "1:00:00"), (86_399, "23:59:59"), (86_400, "1 d 00:00:00"),
      (183_845, "2 d 03:04:05"),
    ])
  func countdown(rest: Double, text: String) {
    let countdown = TemplateCountdown(end: 1000 + rest, now: 1000)
    #expect(countdown.text(TemplateWords(language: "en")) == text)
    #expect(countdown.hasEnded == (rest <= 0))
  }

  @Test("a countdown to the end of time does not overflow")
  func far() {
    #expect(TemplateCountdown(end: 1e300, now: 0).seconds == 1_000_000_000)
    #expect(TemplateCountdown(end: .infinity, now: 0).seconds == 1_000_000_000)
  }

  @Test(
    "contrast is that of WCAG's formula",
    arguments: [
      ("#000000", "#FFFFFF", 21.0), ("#FFFFFF", "#FFFFFF", 1), ("#767676", "#FFFFFF", 4.54),
      ("#FF0000", "#FFFFFF", 4.0), ("#0000FF", "#FFFFFF", 8.59), ("#8E8E93", "#FFFFFF", 3.26),
    ])
  func contrast(one: String, other: String, ratio: Double) throws {
    let one = try #require(TemplateColor(hex: one))
    let other = try #require(TemplateColor(hex: other))
    #expect(abs(one.contrast(with: other) - ratio) < 0.08)
    #expect(one.contrast(with: other) == other.contrast(with: one))
  }

  @Test("a color over another is mixed by its alpha")
  func mixing() throws {
    let half = try #require(TemplateColor(hex: "#00000080"))
    #expect(half.over(.white).hex == "#7F7F7F")
    #expect(TemplateColor.black.over(.white) == .black)
  }

  @Test(
    "a text style has the points of Apple's table",
    arguments: [
      (TemplateFont.Style.body, [14.0, 17, 23, 53]), (.headline, [14, 17, 23, 53]),
      (.subheadline, [12, 15, 21, 49]), (.footnote, [12, 13, 19, 44]), (.title, [17, 20, 26, 55]),
    ])
  func fonts(style: TemplateFont.Style, sizes: [Double]) {
    let textSizes: [TemplateTextSize] = [.xSmall, .large, .xxxLarge, .accessibility5]
    #expect(textSizes.map { TemplateFont(style, $0).size } == sizes)
  }
}

@testable import NotificationTemplates
import NotificationCards
import Testing

@testable import _Card

@Suite("Card: styled texts")
struct CleanTextTests {
  private func parts(_ text: TemplateText, limit: Int = 100, breaks: Bool = true) -> [String] {
    let clean = CleanText(text, limit: limit, breaks: breaks)
    let bytes = Array(clean.string.utf8)
    return clean.marks.map { mark in
      "\(mark.style.rawValue) \(String(decoding: bytes[mark.range], as: UTF8.self))"
    }
  }

  private func mark(_ style: TemplateText.Style, _ range: Range<Int>) -> TemplateText.Mark {
    TemplateText.Mark(style: style, range: range)
  }

  @Test("a mark keeps its letters, whatever their bytes and what was left out before them")
  func marks() {
    // In UTF-16: é 1, 👍🏽 4, \\r\\n 2.
    let text = TemplateText(
      "é👍🏽\r\nbold", marks: [mark(.bold, 7..<11), mark(.italic, 1..<5), mark(.underline, 0..<11)])
    #expect(
      parts(text) == ["bold bold", "italic 👍🏽", "underline é👍🏽\u{2028}bold"])
    #expect(parts(text, breaks: false).last == "underline é👍🏽 bold")
  }

  @Test("marks end where the text was cut or trimmed, and marks outside of it are left out")
  func ends() {
    let text = TemplateText(
      "abc  ", marks: [mark(.bold, 2..<5), mark(.italic, 9..<12), mark(.strikethrough, 3..<3)])
    let clean = CleanText(text, limit: 100, breaks: true)
    #expect(clean.string == "abc")
    #expect(clean.marks.map(\.style) == [.bold])
    #expect(parts(TemplateText("abcdef", marks: [mark(.bold, 1..<6)]), limit: 3) == ["bold bc"])
    #expect(CleanText(TemplateText("abcdef"), limit: 3, breaks: true).string == "abc…")
  }

  @Test("marks change the lines that are measured and drawn")
  func widths() {
    let plain = TemplateText("Wide letters mmmmmmmmmm")
    func width(_ marks: [TemplateText.Mark], digits: Bool = false) -> Double {
      var font = TemplateFont(.body, .large)
      font.hasEvenDigits = digits
      return PangoTextMeasurer().size(
        of: TemplateText(plain.string, marks: marks), font: font, width: 1000, lines: 1
      ).width
    }
    #expect(width([mark(.bold, 0..<23)]) > width([mark(.bold, 13..<23)]))
    #expect(width([mark(.bold, 13..<23)]) > width([]))
    #expect(width([mark(.underline, 0..<23)]) == width([]))
  }

  @Test("even digits have one width")
  func digits() {
    var font = TemplateFont(.title, .large)
    func width(_ text: String) -> Double {
      PangoTextMeasurer().size(of: TemplateText(text), font: font, width: 1000, lines: 1).width
    }
    #expect(width("11:11") != width("00:00"))
    font.hasEvenDigits = true
    #expect(Set((0...9).map { width("\($0)\($0):\($0)\($0)") }).count == 1)
  }

  @Test("a word that is too long is broken without a hyphen")
  func hyphens() {
    FontLock.withLock {
      let type = Typesetter(family: "Inter")
      let font = Typesetter.Font(size: 30)
      let (one, two) = (
        type.layout("mmmm", font, width: 500, lines: 1).width,
        type.layout("mmmmmmmm", font, width: 500, lines: 1).width
      )
      let broken = type.layout("mmmmmmmm", font, width: two - 1, lines: 9)
      #expect(broken.lineCount == 2)
      // Seven letters and no hyphen beside them.
      #expect(broken.width > one && abs(broken.width - two * 7 / 8) < 2)
    }
  }
}

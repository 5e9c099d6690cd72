import NotificationTemplates

/// A text with one kind of line break, without control characters, and cut to the length that fits.
struct CleanText {
  /// A styled part, in bytes of the UTF-8.
  struct Mark {
    var style: TemplateText.Style
    var range: Range<Int>
  }

  private(set) var string: String
  private(set) var marks: [Mark]

  /// A line break within a paragraph: Pango limits the lines of each paragraph, not of the whole text.
  private static let lineBreak: Unicode.Scalar = "\u{2028}"

  /// Cleans a text, and cuts it to `limit` scalars.
  ///
  /// Pango's time grows with the square of the length of a text without spaces, hence the limit.
  init(_ text: TemplateText, limit: Int, breaks: Bool) {
    var result = String.UnicodeScalarView()
    // For each UTF-16 unit of the text, which marks count, its offset in the result's UTF-8.
    var offsets: [Int] = []
    var bytes = 0
    for scalar in text.string.unicodeScalars.prefix(limit) {
      if !text.marks.isEmpty {
        for _ in 0..<UTF16.width(scalar) { offsets.append(bytes) }
      }
      guard let clean = Self.cleaned(scalar, breaks: breaks) else { continue }
      result.append(clean)
      bytes += UTF8.width(clean)
    }
    while let last = result.last, last == Self.lineBreak || last == " " { result.removeLast() }
    let isCut = text.string.unicodeScalars.dropFirst(limit).first != nil
    string = String(result) + (isCut ? "…" : "")
    marks = text.marks.compactMap { mark in
      let units = mark.range.clamped(to: 0..<offsets.count)
      guard !units.isEmpty else { return nil }
      let end = units.upperBound < offsets.count ? offsets[units.upperBound] : bytes
      return Mark(style: mark.style, range: offsets[units.lowerBound]..<end)
    }
  }

  /// Returns the scalar that replaces one; `nil` if it is left out.
  private static func cleaned(_ scalar: Unicode.Scalar, breaks: Bool) -> Unicode.Scalar? {
    switch scalar {
    case "\r": nil
    case "\n", "\u{2028}", "\u{2029}": breaks ? lineBreak : " "
    case _ where scalar.value < 0x20 || scalar.value == 0x7f: " "
    default: scalar
    }
  }

  /// The text with an ellipsis in place of the paragraphs after the last visible line.
  ///
  /// Pango would draw their line breaks as symbols.
  func cut(after lastLine: Int) -> CleanText {
    let utf8 = string.utf8
    guard let start = utf8.index(utf8.startIndex, offsetBy: lastLine, limitedBy: utf8.endIndex),
      let end = string.unicodeScalars[start...].firstIndex(of: Self.lineBreak)
    else { return self }
    var text = self
    text.string = string[..<end] + "…"
    return text
  }
}

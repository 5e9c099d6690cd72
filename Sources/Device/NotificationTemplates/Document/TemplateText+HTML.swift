extension TemplateText {
  /// Reads text with HTML's inline tags: `b`, `strong`, `i`, `em`, `u`, `s`, `strike` and `del`.
  ///
  /// `br` and the end of a paragraph begin a line; other tags are left out. A `<` that does not begin a tag, and an unknown
  /// entity, stand for themselves. The work is proportional to the length of the text.
  package init(html: String) {
    guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
      self.init(html)
      return
    }
    var reader = HTMLReader(rest: html[...])
    reader.read()
    self = reader.text
  }

  /// The text as HTML, which ``init(html:)`` reads as the same text.
  package var html: String {
    var result = ""
    // The offsets at which marks begin and end; the mark that began last is the innermost.
    let ends = Set(marks.flatMap { [$0.range.lowerBound, $0.range.upperBound] })
    var open: [Style] = []
    var offset = 0
    for character in string.unicodeScalars {
      if ends.contains(offset) { result += tags(at: offset, open: &open) }
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\n": result += "<br>"
      default: result.unicodeScalars.append(character)
      }
      offset += UTF16.width(character)
    }
    for style in open.reversed() { result += "</\(style.tag)>" }
    return result
  }

  private func tags(at offset: Int, open: inout [Style]) -> String {
    let styles = Style.allCases.filter { style in
      marks.contains { $0.style == style && $0.range.contains(offset) }
    }
    var result = ""
    // All tags are closed and opened again, so that they nest.
    for style in open.reversed() { result += "</\(style.tag)>" }
    for style in styles { result += "<\(style.tag)>" }
    open = styles
    return result
  }
}

extension TemplateText.Style {
  fileprivate var tag: String {
    switch self {
    case .bold: "b"
    case .italic: "i"
    case .underline: "u"
    case .strikethrough: "s"
    }
  }

  fileprivate init?(tag: String) {
    switch tag {
    case "b", "strong": self = .bold
    case "i", "em": self = .italic
    case "u", "ins": self = .underline
    case "s", "strike", "del": self = .strikethrough
    default: return nil
    }
  }
}

private struct HTMLReader {
  var rest: Substring
  var text = TemplateText("")
  private var length = 0
  /// Whether a line begins before the next character.
  private var endsParagraph = false
  /// The offset at which each style began, and the number of its open tags.
  private var open: [TemplateText.Style: (start: Int, depth: Int)] = [:]

  init(rest: Substring) { self.rest = rest }

  mutating func read() {
    while let byte = rest.utf8.first {
      if byte == UInt8(ascii: "<"), readTag() { continue }
      if byte == UInt8(ascii: "&"), readEntity() { continue }
      // Up to the next byte that may begin a tag or an entity.
      let end = rest.utf8.dropFirst().firstIndex { byte in
        byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&")
      }
      append(rest[..<(end ?? rest.endIndex)])
      rest = rest[(end ?? rest.endIndex)...]
    }
    for style in TemplateText.Style.allCases { close(style, wholly: true) }
    text.marks.sort {
      ($0.range.lowerBound, $0.range.upperBound, $0.style.rawValue)
        < ($1.range.lowerBound, $1.range.upperBound, $1.style.rawValue)
    }
  }

  private mutating func append(_ part: Substring) {
    if endsParagraph {
      endsParagraph = false
      append("\n")
    }
    text.string += part
    length += part.utf16.count
  }

  /// The most bytes of a tag, so that a text of many `<` is not searched again for each.
  private static let longestTag = 256

  private mutating func readTag() -> Bool {
    let inside = rest.utf8.dropFirst()
    guard let first = inside.first,
      first == UInt8(ascii: "/") || first == UInt8(ascii: "!")
        || (first | 0x20) >= UInt8(ascii: "a") && (first | 0x20) <= UInt8(ascii: "z"),
      let end = inside.prefix(Self.longestTag).firstIndex(of: UInt8(ascii: ">"))
    else { return false }
    let tag = rest[rest.index(after: rest.startIndex)..<end]
    rest = rest[rest.index(after: end)...]
    let isEnd = tag.hasPrefix("/")
    let name = String((isEnd ? tag.dropFirst() : tag).prefix { $0.isASCII && $0.isLetter })
      .lowercased()
    if let style = TemplateText.Style(tag: name) {
      if isEnd { close(style, wholly: false) } else { begin(style) }
    } else if name == "br" {
      append("\n")
    } else if isEnd, name == "p" || name == "div" || name == "li" {
      endsParagraph = length > 0
    }
    return true
  }

  private mutating func begin(_ style: TemplateText.Style) {
    append("")
    open[style, default: (length, 0)].depth += 1
  }

  private mutating func close(_ style: TemplateText.Style, wholly: Bool) {
    guard var state = open[style] else { return }
    state.depth -= 1
    open[style] = state.depth > 0 && !wholly ? state : nil
    guard open[style] == nil, state.start < length, text.marks.count < TemplateLimits.marks else {
      return
    }
    // A mark that follows one of its kind at once continues it.
    if let last = text.marks.lastIndex(where: { $0.style == style }),
      text.marks[last].range.upperBound == state.start
    {
      text.marks[last].range = text.marks[last].range.lowerBound..<length
    } else {
      text.marks.append(TemplateText.Mark(style: style, range: state.start..<length))
    }
  }

  private mutating func readEntity() -> Bool {
    let inside = rest.dropFirst()
    guard let end = inside.utf8.prefix(10).firstIndex(of: UInt8(ascii: ";")),
      let scalar = Self.scalar(inside[..<end])
    else { return false }
    rest = rest[rest.index(after: end)...]
    append(String(scalar)[...])
    return true
  }

  private static func scalar(_ name: Substring) -> Unicode.Scalar? {
    if name.hasPrefix("#x") || name.hasPrefix("#X") {
      return UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    }
    if name.hasPrefix("#") { return UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init) }
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    case "nbsp": return "\u{A0}"
    default: return nil
    }
  }
}

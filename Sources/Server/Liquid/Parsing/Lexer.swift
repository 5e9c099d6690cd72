/// A lexer that splits a source into text, outputs and tags, and trims white space next to a hyphen (`{{-`, `-%}`).
struct Lexer {
  enum Piece {
    case text([UInt8])
    case output(Range<Int>)
    /// The name of a tag, and the range of its markup.
    case tag(String, at: Int, markup: Range<Int>)
  }

  let source: [UInt8]
  private var index = 0
  private let end: Int
  /// Whether each line is a tag, as in the tag `liquid`.
  private let isOfLines: Bool
  /// Whether the previous piece ended in a hyphen: the next text then loses its leading white space.
  private var trimsStart = false

  init(_ source: [UInt8]) {
    self.source = source
    end = source.count
    isOfLines = false
  }

  /// Makes a lexer of the lines in a part of a source.
  init(_ source: [UInt8], lines: Range<Int>) {
    self.source = source
    index = lines.lowerBound
    end = lines.upperBound
    isOfLines = true
  }

  mutating func next() throws(SourceError) -> Piece? {
    if isOfLines { return nextLine() }
    while index < source.count {
      guard isOpening(index) else {
        let text = text(upTo: nextOpening())
        if text.isEmpty { continue }
        return .text(text)
      }
      return try markup()
    }
    return nil
  }

  /// The next tag in a comment, in which outputs and unfinished markup are text.
  mutating func nextTag() throws(SourceError) -> Piece? {
    if isOfLines { return nextLine() }
    while index + 1 < end {
      if source[index] == UInt8(ascii: "{"), source[index + 1] == UInt8(ascii: "%") {
        return try markup()
      }
      index += 1
    }
    return nil
  }

  private mutating func nextLine() -> Piece? {
    while index < end {
      var line = index..<(source[index..<end].firstIndex(of: UInt8(ascii: "\n")) ?? end)
      index = line.upperBound + 1
      while let first = line.first, source[first].isSpace { line.removeFirstElement() }
      if !line.isEmpty { return tag(in: line) }
    }
    return nil
  }

  /// The unparsed text up to a tag with a name, as `raw` needs it; `nil` if the tag does not follow.
  mutating func verbatim(until word: String) -> [UInt8]? {
    guard !isOfLines else { return nil }
    let start = index
    for position in start..<max(start, end - 1)
    where source[position] == UInt8(ascii: "{") && source[position + 1] == UInt8(ascii: "%") {
      guard isTag(word, at: position) else { continue }
      index = position
      guard (try? markup()) != nil else { break }
      let trimsEnd = source[position + 2] == UInt8(ascii: "-")
      return Self.trimmed(source[start..<position], start: false, end: trimsEnd)
    }
    index = start
    return nil
  }

  /// Whether the tag that opens at a position is named `word`.
  private func isTag(_ word: String, at position: Int) -> Bool {
    var rest = source[(position + 2)...]
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    rest = rest.drop(while: \.isSpace)
    return rest.starts(with: word.utf8) && rest.dropFirst(word.utf8.count).first?.isWord != true
  }

  private mutating func text(upTo end: Int) -> [UInt8] {
    let hasHyphen = end + 2 < source.count && source[end + 2] == UInt8(ascii: "-")
    let text = Self.trimmed(source[index..<end], start: trimsStart, end: hasHyphen)
    trimsStart = false
    index = end
    return text
  }

  private mutating func markup() throws(SourceError) -> Piece {
    let start = index
    let isTag = source[start + 1] == UInt8(ascii: "%")
    let close = isTag ? UInt8(ascii: "%") : UInt8(ascii: "}")
    var end = start + 2
    while end + 1 < source.count, source[end] != close || source[end + 1] != UInt8(ascii: "}") {
      end += 1
    }
    guard end + 1 < source.count else {
      throw SourceError(.syntax, isTag ? "'{%' has no '%}'" : "'{{' has no '}}'", at: start)
    }
    index = end + 2
    var inner = start + 2..<end
    if inner.first.map({ source[$0] }) == UInt8(ascii: "-") { inner.removeFirstElement() }
    trimsStart = inner.last.map { source[$0] } == UInt8(ascii: "-")
    if trimsStart { inner = inner.lowerBound..<inner.upperBound - 1 }
    while let first = inner.first, source[first].isSpace { inner.removeFirstElement() }
    return isTag ? tag(in: inner) : .output(inner)
  }

  private func tag(in inner: Range<Int>) -> Piece {
    if inner.first.map({ source[$0] }) == UInt8(ascii: "#") {
      return .tag("#", at: inner.lowerBound, markup: inner)
    }
    let end = inner.first { !source[$0].isWord } ?? inner.upperBound
    let word = String(decoding: source[inner.lowerBound..<end], as: UTF8.self)
    return .tag(word, at: inner.lowerBound, markup: end..<inner.upperBound)
  }

  private func isOpening(_ position: Int) -> Bool {
    guard position + 1 < source.count, source[position] == UInt8(ascii: "{") else { return false }
    return source[position + 1] == UInt8(ascii: "{") || source[position + 1] == UInt8(ascii: "%")
  }

  private func nextOpening() -> Int {
    var position = index
    while position < source.count, !isOpening(position) { position += 1 }
    return position
  }

  private static func trimmed(_ text: ArraySlice<UInt8>, start: Bool, end: Bool) -> [UInt8] {
    var text = text
    if start { text = text.drop(while: \.isSpace) }
    while end, text.last?.isSpace == true { text.removeLast() }
    return Array(text)
  }
}

extension Range<Int> {
  fileprivate mutating func removeFirstElement() { self = lowerBound + 1..<upperBound }
}

extension UInt8 {
  /// Whether the byte is ASCII white space.
  var isSpace: Bool { self == 0x20 || (0x09...0x0d).contains(self) }

  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether the byte may be part of a name, as in Ruby's `\w`: an ASCII letter, a digit or `_`.
  var isWord: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"):
      true
    default: isDigit
    }
  }
}

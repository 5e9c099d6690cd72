/// The words, numbers and signs of a date, in lower case, to read one after the other.
struct DateWords {
  struct Word: Equatable {
    enum Kind: Equatable { case letters, digits, symbol }

    var kind: Kind
    var text: String
    /// Whether the word follows the previous one without white space.
    var isJoined: Bool

    /// The value of the digits; `nil` if there are more than four.
    var number: Int? { kind == .digits && text.utf8.count <= 4 ? Int(text) : nil }

    /// The value of exactly two digits.
    var pair: Int? { text.utf8.count == 2 ? number : nil }
  }

  private var words: ArraySlice<Word>

  init(_ text: String) {
    words = []
    var bytes = Array(text.lowercased().utf8)[...]
    var isJoined = false
    while let first = bytes.first {
      let digits = bytes.prefix(while: \.isDigit)
      let letters = bytes.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
      let length = max(1, digits.count + letters.count)
      if !first.isSpace {
        let kind: Word.Kind =
          digits.isEmpty ? letters.isEmpty ? .symbol : .letters : .digits
        let text = String(decoding: bytes.prefix(length), as: UTF8.self)
        words.append(Word(kind: kind, text: text, isJoined: isJoined))
      }
      isJoined = !first.isSpace
      bytes = bytes.dropFirst(length)
    }
  }

  mutating func popFirst() -> Word? { words.popFirst() }

  func isNext(_ text: String) -> Bool { words.first?.text == text }

  /// Skips a word; `false` if a different word comes next.
  mutating func skip(_ text: String) -> Bool {
    guard isNext(text) else { return false }
    words.removeFirst()
    return true
  }

  mutating func skip(_ count: Int) { words.removeFirst(count) }

  /// Whether the texts come next, without white space between them.
  private func areNext(_ texts: String...) -> Bool {
    words.prefix(texts.count).map(\.text) == texts
      && words.prefix(texts.count).dropFirst().allSatisfy(\.isJoined)
  }

  /// The suffix `am`, `p.m.` and so on that comes next: its half of the day, and the number of its words.
  var hourSuffix: (isAfternoon: Bool, words: Int)? {
    for (letter, isAfternoon) in [("a", false), ("p", true)] {
      if isNext(letter + "m") { return (isAfternoon, 1) }
      if areNext(letter, ".", "m", ".") { return (isAfternoon, 4) }
      if areNext(letter, ".", "m") { return (isAfternoon, 3) }
    }
    return nil
  }

  /// The separator of a numeric date whose year has just been read: `-`, `/` or `.`.
  var dateSeparator: String? {
    let next = Array(words.prefix(4))
    guard next.count == 4, next.allSatisfy(\.isJoined), ["-", "/", "."].contains(next[0].text),
      next[0] == next[2], next[1].kind == .digits, next[3].kind == .digits
    else { return nil }
    return next[0].text
  }

  /// Whether digits follow without white space.
  var isJoinedNumber: Bool { words.first.map { $0.kind == .digits && $0.isJoined } ?? false }

  /// The sign of an offset; `nil` if a sign with digits does not come next.
  var offsetSign: String? {
    guard let sign = words.first, sign.text == "+" || sign.text == "-",
      let digits = words.dropFirst().first, digits.kind == .digits, digits.isJoined
    else { return nil }
    return sign.text
  }

  /// The digits of a fraction after `.` or `,`; `nil` if a fraction does not come next.
  var fraction: String? {
    let next = Array(words.prefix(2))
    guard next.count == 2, next.allSatisfy(\.isJoined), [".", ","].contains(next[0].text),
      next[1].kind == .digits
    else { return nil }
    return next[1].text
  }
}

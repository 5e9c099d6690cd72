import PushPayload

/// Numbers from here on are milliseconds, not seconds of the year 5138.
private let leastMilliseconds = 1e11

extension TemplateReader {
  /// A text; a number counts as its digits.
  mutating func text(
    _ paths: [PayloadPath], in scope: Scope, limit: Int = TemplateLimits.title
  ) -> TemplateText? {
    guard let (string, value) = string(paths, in: scope) else { return nil }
    let text = isHTML ? TemplateText(html: string) : TemplateText(string)
    if text.string.isBlank { return nil }
    guard let short = text.cut(to: limit) else { return text }
    values.report(
      value, "is longer than the \(limit) characters that are shown", code: .outOfRange)
    return short
  }

  mutating func texts(_ rule: TextsRule, in scope: Scope) -> TemplateTexts {
    TemplateTexts(
      title: text(rule.title, in: scope), subtitle: text(rule.subtitle, in: scope),
      body: text(rule.body, in: scope, limit: TemplateLimits.body))
  }

  private mutating func string(
    _ paths: [PayloadPath], in scope: Scope
  ) -> (result: String, value: PayloadValue)? {
    if paths.isEmpty { return nil }
    return values.first(at: paths, in: scope, expected: "a string") { json -> String? in
      switch json {
      case .string(let text): text
      case .integer(let number): String(number)
      case .number(let number): number.description
      default: nil
      }
    }
  }

  mutating func identifier(_ paths: [PayloadPath], in scope: Scope) -> String? {
    string(paths, in: scope).map { identifier($0.result, at: $0.value.path) }
  }

  /// An identifier that the value at a path has.
  mutating func identifier(_ string: String, at path: PayloadPath) -> String {
    guard let short = TemplateText(string).cut(to: TemplateLimits.identifier) else {
      return string
    }
    values.report(
      path: path, "is longer than the \(TemplateLimits.identifier) characters that are kept",
      code: .outOfRange)
    return short.string
  }

  /// A URL, without spaces around it.
  mutating func url(_ paths: [PayloadPath], in scope: Scope) -> String? {
    if paths.isEmpty { return nil }
    guard
      let found = values.first(
        at: paths, in: scope, expected: "a string with a URL", read: \.string)
    else { return nil }
    return url(found.result, at: found.value.path)
  }

  /// A URL that the value at a path has.
  mutating func url(_ string: String, at path: PayloadPath) -> String? {
    let url = string.trimmed
    if url.utf8.count <= TemplateLimits.url { return url.isEmpty ? nil : url }
    values.report(
      path: path, "is longer than the \(TemplateLimits.url) bytes of a URL", code: .outOfRange)
    return nil
  }

  /// A finite number, or a string with one.
  mutating func number(_ paths: [PayloadPath], in scope: Scope) -> (Double, PayloadValue)? {
    if paths.isEmpty { return nil }
    let found = values.first(at: paths, in: scope, expected: "a number") { json -> Double? in
      (json.number ?? json.string.flatMap { Double($0.trimmed) }).flatMap { $0.isFinite ? $0 : nil }
    }
    return found.map { ($0.result, $0.value) }
  }

  /// A number of a range; one outside of it is reported and counts as absent.
  mutating func number(
    _ paths: [PayloadPath], in scope: Scope, range: ClosedRange<Double>
  ) -> Double? {
    guard let (number, value) = number(paths, in: scope) else { return nil }
    if range.contains(number) { return number }
    values.report(
      value, "must be from \(Self.digits(range.lowerBound)) to \(Self.digits(range.upperBound))",
      code: .outOfRange)
    return nil
  }

  private static func digits(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? number.description
  }

  /// A Boolean, which may also be 0 or 1, and any of these in a string.
  mutating func flag(_ paths: [PayloadPath], in scope: Scope) -> Bool? {
    if paths.isEmpty { return nil }
    return values.first(at: paths, in: scope, expected: "true or false") { json -> Bool? in
      switch json {
      case .bool(let value): value
      case .integer(0): false
      case .integer(1): true
      case .string(let text):
        switch text.trimmed.lowercased() {
        case "true", "1", "yes": true
        case "false", "0", "no": false
        default: nil
        }
      default: nil
      }
    }?.result
  }

  /// A word, in any case of letters.
  mutating func word<Word: RawRepresentable & CaseIterable>(
    _ paths: [PayloadPath], in scope: Scope
  ) -> Word? where Word.RawValue == String {
    if paths.isEmpty { return nil }
    let words = Dictionary(uniqueKeysWithValues: Word.allCases.map { ($0.rawValue, $0) })
    return word(paths, in: scope, among: words)
  }

  /// The meaning of a word; an unknown word is reported.
  mutating func word<Meaning>(
    _ paths: [PayloadPath], in scope: Scope, among words: [String: Meaning]
  ) -> Meaning? {
    guard let (string, value) = string(paths, in: scope) else { return nil }
    if let meaning = words[string.trimmed.lowercased()] { return meaning }
    values.report(
      value, "must be one of \(words.keys.sorted().joined(separator: ", "))", code: .unknownName)
    return nil
  }

  /// A time in seconds since 1970: a number of seconds or milliseconds, a string with one, or ISO 8601.
  mutating func date(
    _ paths: [PayloadPath], in scope: Scope, prefix: String = ""
  ) -> Double? {
    let expected = "a time: seconds since 1970, or ISO 8601"
    let found = values.first(at: paths, in: scope, expected: expected) { json -> Double? in
      if let number = json.number { return Self.seconds(number) }
      guard var text = json.string?.trimmed[...] else { return nil }
      if !prefix.isEmpty, text.hasPrefix(prefix) { text = text.dropFirst(prefix.count) }
      if let number = Double(text) { return Self.seconds(number) }
      // A year that a number of seconds cannot name is refused in this form, too.
      let seconds = ISO8601DateTime(String(text)).map { Double($0.milliseconds) / 1000 }
      return seconds.flatMap { (0..<leastMilliseconds).contains($0) ? $0 : nil }
    }
    return found?.result
  }

  private static func seconds(_ number: Double) -> Double? {
    guard number.isFinite, number >= 0, number < 1000 * leastMilliseconds else { return nil }
    return number >= leastMilliseconds ? number / 1000 : number
  }

  mutating func color(
    _ paths: [PayloadPath], form: ColorForm, in scope: Scope
  ) -> TemplateColor? {
    if paths.isEmpty { return nil }
    let expected = form == .number ? "a color as a number" : "a color as #RRGGBB or #RRGGBBAA"
    return values.first(at: paths, in: scope, expected: expected) { json -> TemplateColor? in
      if let number = json.integer { return TemplateColor(rgb: UInt32(truncatingIfNeeded: number)) }
      guard let text = json.string?.trimmed else { return nil }
      switch form {
      case .hex: return TemplateColor(hex: text)
      case .number:
        if let number = Int64(text) {
          return TemplateColor(rgb: UInt32(truncatingIfNeeded: number))
        }
        return TemplateColor(hex: text)
      case .lastSixDigits:
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        return TemplateColor(hex: String(digits.count == 8 ? digits.dropFirst(2) : digits))
      }
    }?.result
  }

  mutating func colors(_ rule: ColorsRule, in scope: Scope) -> TemplateColors {
    let light = color(rule.light, form: rule.form, in: scope)
    let dark = rule.servesBoth ? light : color(rule.dark, form: rule.form, in: scope)
    return TemplateColors(light: light, dark: dark)
  }

  mutating func style(_ rule: StyleRule) -> TemplateStyle {
    TemplateStyle(
      background: colors(rule.background, in: scope), title: colors(rule.title, in: scope),
      body: colors(rule.body, in: scope), accent: colors(rule.accent, in: scope))
  }
}

extension String {
  /// Whether the text has nothing but white space.
  var isBlank: Bool {
    if let first = utf8.first, first > 0x20, first < 0x7F { return false }
    return allSatisfy(\.isWhitespace)
  }

  /// The text without white space around it.
  var trimmed: String {
    // Most texts begin and end with an ASCII letter, so Unicode's properties need not be looked up.
    if let first = utf8.first, let last = utf8.last, first > 0x20, first < 0x7F, last > 0x20,
      last < 0x7F
    {
      return self
    }
    let start = drop(while: \.isWhitespace)
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...end])
  }
}

import PushPayload

/// The texts of a notification in further languages; the fields without a language have the fallback.
extension ComposeForm {
  /// The field with the languages, once for each.
  static let languageField = "language"
  /// The field with the language whose tab is open; empty for the fallback.
  static let tabField = "tab"
  /// The field with the language that the button beside it adds.
  static let addedLanguageField = "added_language"
  /// The largest number of languages in a notification.
  static let languageLimit = 40

  /// The fields that may differ by language, with the keys of the payload.
  static let localizedKeys: [(key: String, field: ComposeField)] = [
    ("title", .title), ("subtitle", .subtitle), ("alert", .text),
  ]
  static let localizedFields = localizedKeys.map(\.field)

  /// The name of a field in a language: `lang_pt-br_title`.
  static func name(_ field: ComposeField, in language: String) -> String {
    "lang_\(language)_\(field.rawValue)"
  }

  /// The title of a field in a language, on the page and in messages: `Title in French`.
  static func title(of field: ComposeField, in language: String) -> String {
    "\(field.title) in \(LanguageNames.name(of: language))"
  }

  /// The language and the field to which the name of a form's field belongs.
  static func localized(_ name: String) -> (language: String, field: ComposeField)? {
    guard let match = name.wholeMatch(of: /lang_([^_]+)_(.+)/),
      let field = ComposeField(rawValue: String(match.2)), localizedFields.contains(field)
    else { return nil }
    return (String(match.1), field)
  }

  /// The languages in the order in which they were added.
  var languages: [String] {
    var known: Set<String> = []
    let all = form.all(Self.languageField).map(TextLocale.normalized)
      .filter { TextLocale.isLocale($0) && known.insert($0).inserted }
    return Array(all.prefix(Self.languageLimit))
  }

  /// The text of a field in a language; `nil` if nothing is written in that language.
  func text(_ field: ComposeField, in language: String) -> String? {
    form[Self.name(field, in: language)]
  }

  /// The language whose tab is open; `nil` if it is the tab of the fallback.
  var openLanguage: String? { form[Self.tabField].flatMap { languages.contains($0) ? $0 : nil } }

  /// Whether any text is written in a language.
  func hasText(in language: String) -> Bool {
    Self.localizedFields.contains { text($0, in: language) != nil }
  }

  /// The language of the text that a device gets in a field; `nil` if it gets the fallback.
  func source(of field: ComposeField, for locale: String?) -> String? {
    locale.flatMap { TextLocale.best(for: $0) { text(field, in: $0) != nil } }
  }

  /// The fields in which devices of a language get the fallback.
  func missing(in language: String) -> [ComposeField] {
    Self.localizedFields.filter { !self[$0].isEmpty && source(of: $0, for: language) == nil }
  }

  /// The value of a text of the payload: a text, or the texts by locale.
  func localizedText(_ field: ComposeField) -> JSONValue? {
    var texts: [String: JSONValue] = [:]
    for language in languages {
      texts[language] = text(field, in: language).map(JSONValue.string)
    }
    let fallback: JSONValue? = self[field].isEmpty ? nil : .string(self[field])
    guard !texts.isEmpty else { return fallback }
    texts[TextLocale.fallback] = fallback
    return .object(texts)
  }

  /// Reads a text of the payload by locale; returns `false` if the form cannot write it.
  mutating func fillTexts(_ value: JSONValue, of field: ComposeField) -> Bool {
    guard let members = value.object, let fallback = members[TextLocale.fallback]?.string,
      !fallback.isEmpty
    else { return false }
    var texts: [String: String] = [:]
    for (locale, text) in members where locale != TextLocale.fallback {
      guard TextLocale.isLocale(locale), let text = text.string, !text.isEmpty,
        texts.updateValue(text, forKey: TextLocale.normalized(locale)) == nil
      else { return false }
    }
    guard Set(languages).union(texts.keys).count <= Self.languageLimit else { return false }
    self[field] = fallback
    for (language, text) in texts.sorted(by: { $0.key < $1.key }) {
      if !languages.contains(language) { append(Self.languageField, language) }
      set(Self.name(field, in: language), text)
    }
    return true
  }

  /// The fields with texts in languages but no fallback, which the API refuses.
  var languageProblems: [ComposePreview.Remark] {
    guard kind != .message else { return [] }
    return Self.localizedFields.compactMap { field in
      guard self[field].isEmpty else { return nil }
      let written = languages.filter { text(field, in: $0) != nil }
      guard let first = written.first else { return nil }
      let names =
        written.count == 1
        ? "\(LanguageNames.name(of: first)) has" : "\(written.count) languages have"
      return .refusal(
        "\(field.title): write the fallback, too. \(names) one, and devices of other languages would get none.",
        at: field.rawValue)
    }
  }

  // MARK: Adding and removing

  /// A change of the languages that a button makes.
  enum LanguageChange: Equatable, Sendable {
    /// Adds a language; `nil` adds the one that is chosen in the menu.
    case add(String?)
    case remove(String)

    /// Parses the value of a button: `language-add`, `language-add-fr`, `language-remove-pt-br`.
    init?(action: String) {
      if action == "language-add" {
        self = .add(nil)
      } else if action.hasPrefix("language-add-") {
        self = .add(String(action.dropFirst(13)))
      } else if action.hasPrefix("language-remove-") {
        self = .remove(String(action.dropFirst(16)))
      } else {
        return nil
      }
    }
  }

  /// Adds or removes a language, and opens a tab.
  ///
  /// - Returns: The name of the element that gets the focus; `nil` if nothing has changed.
  mutating func apply(_ change: LanguageChange) -> String? {
    switch change {
    case .add(let chosen):
      let code = TextLocale.normalized(chosen ?? form[Self.addedLanguageField] ?? "")
      set(Self.addedLanguageField, "")
      guard TextLocale.isLocale(code) else { return Self.addedLanguageField }
      if !languages.contains(code) {
        guard languages.count < Self.languageLimit else { return nil }
        append(Self.languageField, code)
      }
      set(Self.tabField, code)
      return Self.name(.title, in: code)
    case .remove(let language):
      guard languages.contains(language) else { return nil }
      let others = languages.filter { $0 != language }
      removeFields {
        $0 == Self.languageField || $0 == Self.tabField || Self.localized($0)?.language == language
      }
      for other in others { append(Self.languageField, other) }
      return Self.addedLanguageField
    }
  }
}

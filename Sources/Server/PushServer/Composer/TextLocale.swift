/// The locales of texts, and the choice of the text that fits a device best.
enum TextLocale {
  /// The name of the text for devices whose locale has no text.
  static let fallback = "default"

  /// Returns a locale in lowercase with hyphens, because callers and devices write both `en_US` and `en-us`.
  static func normalized(_ locale: String) -> String {
    String(locale.lowercased().map { $0 == "_" ? "-" : $0 })
  }

  /// Returns whether a name is a language of two or three letters with subtags of up to eight (RFC
  /// 5646, section 2.1).
  static func isLocale(_ name: String) -> Bool {
    let parts = normalized(name).split(separator: "-", omittingEmptySubsequences: false)
    guard let language = parts.first, (2...3).contains(language.utf8.count),
      language.utf8.allSatisfy({ (0x61...0x7a).contains($0) })
    else { return false }
    return parts.dropFirst().allSatisfy { part in
      (1...8).contains(part.utf8.count)
        && part.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) }
    }
  }

  /// Returns the best text for a locale: the text of the locale, of one of its parents, or of its language.
  ///
  /// The parents are those of the CLDR: `es-MX`, `es-419`, `es`. A language with several scripts gets the usual one of
  /// its region, so that `zh_TW` is `zh-Hant-TW`.
  ///
  /// - Parameters:
  ///   - locale: The device's locale, in any form.
  ///   - hasText: Whether a normalized locale has a text.
  /// - Returns: The normalized locale; `nil` if the device gets the fallback.
  static func best(for locale: String, where hasText: (String) -> Bool) -> String? {
    let name = withoutKeywords(normalized(locale))
    if hasText(name) { return name }
    var next: String? = withScript(name)
    while let current = next {
      if hasText(current) { return current }
      if let short = withoutUsualScript(current), hasText(short) { return short }
      next = parent(of: current)
    }
    let language = language(of: name)
    return hasText(language) ? language : nil
  }

  /// Returns the language of a locale: `zh` of `zh_Hant_TW`.
  static func language(of locale: String) -> String {
    String(withoutKeywords(normalized(locale)).prefix { $0 != "-" })
  }

  /// A locale without the suffixes of Apple's identifiers and POSIX, as in `en_US@rg=dezzzz` and `en_US.UTF-8`.
  private static func withoutKeywords(_ name: String) -> String {
    String(name.prefix { $0 != "@" && $0 != "." })
  }

  /// The locale from which another one inherits; `nil` if it is only a language.
  private static func parent(of name: String) -> String? {
    parents[name] ?? name.lastIndex(of: "-").map { String(name[..<$0]) }
  }

  /// A locale with the usual script of its region, if its language has several: `zh-hant-tw` of `zh-tw`.
  private static func withScript(_ name: String) -> String {
    let parts = name.split(separator: "-")
    guard let language = parts.first, let scripts = scripts[String(language)],
      parts.dropFirst().first?.utf8.count != 4
    else { return name }
    let script = scripts.script(in: parts.dropFirst().first)
    return ([language, Substring(script)] + parts.dropFirst()).joined(separator: "-")
  }

  /// A locale without its script, if that is the usual one: `zh-tw` of `zh-hant-tw`; else `nil`.
  private static func withoutUsualScript(_ name: String) -> String? {
    var parts = name.split(separator: "-")
    guard parts.count > 1, let scripts = scripts[String(parts[0])],
      parts[1] == scripts.script(in: parts.dropFirst(2).first)
    else { return nil }
    parts.remove(at: 1)
    return parts.joined(separator: "-")
  }

  /// The scripts of a language.
  private struct Scripts {
    var usual: String
    /// The script of each region that uses another one.
    var others: [String: String] = [:]

    func script(in region: Substring?) -> String {
      region.flatMap { others[String($0)] } ?? usual
    }
  }

  private static let parents: [String: String] = {
    var parents: [String: String] = [:]
    var parent = ""
    for word in parentTable.split(whereSeparator: \.isWhitespace) {
      if word.last == ":" {
        parent = String(word.dropLast())
      } else {
        parents[String(word)] = parent
      }
    }
    return parents
  }()

  private static let scripts: [String: Scripts] = {
    var all: [String: Scripts] = [:]
    for row in scriptTable.split(separator: "\n") {
      let words = row.split(separator: " ")
      guard words.count > 1 else { continue }
      var scripts = Scripts(usual: String(words[1]))
      for other in words.dropFirst(2) {
        let sides = other.split(separator: "=")
        for region in sides[1].split(separator: ",") {
          scripts.others[String(region)] = String(sides[0])
        }
      }
      all[String(words[0].dropLast())] = scripts
    }
    return all
  }()
}

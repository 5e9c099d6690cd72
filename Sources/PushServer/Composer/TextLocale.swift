/// The names of locales that texts have, and which of several texts a device gets.
enum TextLocale {
  /// The name of the text that a device gets whose locale has no text.
  static let fallback = "default"

  /// Returns a locale in lowercase with hyphens: callers and devices write both `en_US` and
  /// `en-us`.
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

  /// Returns the first of a device's locale and its prefixes for which there is a text: `zh-hant-tw`,
  /// `zh-hant`, `zh`.
  ///
  /// - Parameters:
  ///   - locale: The device's locale, in any form.
  ///   - hasText: Whether there is a text for a normalized locale.
  /// - Returns: `nil` where the device gets the fallback.
  static func best(for locale: String, where hasText: (String) -> Bool) -> String? {
    var name = normalized(locale)[...]
    while !name.isEmpty {
      if hasText(String(name)) { return String(name) }
      name = name.lastIndex(of: "-").map { name[..<$0] } ?? ""
    }
    return nil
  }

  /// Returns the language of a locale: `zh` of `zh_Hant_TW`.
  static func language(of locale: String) -> String {
    String(normalized(locale).prefix { $0 != "-" })
  }
}

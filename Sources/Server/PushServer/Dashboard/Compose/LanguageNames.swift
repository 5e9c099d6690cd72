import Foundation

/// The English names of languages, because the dashboard is in English.
enum LanguageNames {
  /// The languages that iOS can be set to, and the regional ones that apps translate most often.
  ///
  /// Source: Apple, "iOS and iPadOS Feature Availability", System Language.
  static let offered: [(code: String, name: String)] = [
    "ar", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "en-AU", "en-GB", "es", "es-419", "es-MX",
    "fi", "fr", "fr-CA", "gu", "he", "hi", "hr", "hu", "id", "it", "ja", "kk", "kn", "ko", "lt",
    "ml", "mr", "ms", "nb", "nl", "or", "pa", "pl", "pt-BR", "pt-PT", "ro", "ru", "sk", "sl", "sv",
    "ta", "te", "th", "tr", "uk", "ur", "vi", "zh-Hans", "zh-Hant", "zh-HK",
  ].map { ($0, name(of: $0)) }.sorted { $0.name < $1.name }

  /// Returns the name of a locale, such as `Portuguese (Brazil)`, or an unknown locale as it is.
  static func name(of locale: String) -> String {
    let name = Locale(identifier: "en_US").localizedString(forIdentifier: locale)
    guard let name, !name.isEmpty else { return locale }
    return name
  }
}

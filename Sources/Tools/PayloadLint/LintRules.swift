/// The rules of `martlet lint`.
package enum LintRules {
  /// Every rule, sorted by code.
  package static let all: [LintRule] = [
    document, size, aps, apsKeys, alert, sound, interruption, background, serviceExtension,
    communication,
    headers, topic, media, mediaAddress, mediaPages, dialects, templates, changes, nestedJSON,
    liveActivity,
    widgets,
  ].flatMap { $0 }.sorted { $0.code < $1.code }

  /// The rule with a code, in any letter case.
  package static func rule(_ code: String) -> LintRule? {
    all.first { $0.code == code.uppercased() }
  }

  /// The subjects of rules, by the first digit of their codes.
  package static let subjects: [(digit: Character, title: String)] = [
    ("1", "The document"), ("2", "The aps dictionary"), ("3", "The alert"),
    ("4", "Sound and interruption"), ("5", "Background and the service extension"),
    ("6", "Headers"), ("7", "Media"), ("8", "Dialects"), ("9", "Live Activities and widgets"),
  ]
}

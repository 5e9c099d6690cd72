/// Every rule, in the order of the codes.
package enum LintRules {
  package static let all: [LintRule] = [
    document, size, aps, apsKeys, alert, sound, interruption, background, serviceExtension, headers,
    topic, media, mediaAddress, dialects, liveActivity, widgets,
  ].flatMap { $0 }.sorted { $0.code < $1.code }

  package static func rule(_ code: String) -> LintRule? {
    all.first { $0.code == code.uppercased() }
  }

  /// The first digit of a code, and what the rules with it are about.
  package static let subjects: [(digit: Character, title: String)] = [
    ("1", "The document"), ("2", "The aps dictionary"), ("3", "The alert"),
    ("4", "Sound and interruption"), ("5", "Background and the service extension"),
    ("6", "Headers"), ("7", "Media"), ("8", "Dialects"), ("9", "Live Activities and widgets"),
  ]
}

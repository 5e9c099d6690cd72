/// The limits of what is reported of an expanded notification: the extensions keep within them, and
/// the server refuses what is beyond.
package enum TemplateEventLimits {
  /// The largest index of a page.
  package static let lastPage: Int64 = 99
  /// The most seconds for which a page is visible; more is a phone that was left alone.
  package static let longestDwell: Int64 = 3600
  /// The most Unicode scalars of an answer, chosen or typed.
  package static let longestValue = 256
}

/// The limits of the reports about an expanded notification: the extensions keep within them, and
/// the server refuses values beyond them.
package enum TemplateEventLimits {
  /// The largest index of a page.
  package static let lastPage: Int64 = 99
  /// The most seconds that a page counts as visible; a longer time means that the phone was left alone.
  package static let longestDwell: Int64 = 3600
  /// The most Unicode scalars of an answer, chosen or typed.
  package static let longestValue = 256
}

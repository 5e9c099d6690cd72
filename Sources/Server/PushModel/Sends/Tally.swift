/// The kinds of a send's counts by name.
package enum Tally: String {
  case conversion, mediaFailure, purchase, revenue
  /// The pushes of a Live Activity that APNs refused, by reason.
  case pushFailure
  case templateViewed, templateAnswered, templateExpired, templatePlayed
  /// Counted by page.
  case templatePage, templateDwell, templateOpened
  /// Counted by value.
  case templateValue, templateOtherValue
}

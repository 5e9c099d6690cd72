/// The sums over several notifications or in-app messages.
package struct SendTotals: Hashable, Sendable {
  /// The number of notifications.
  package var sends = 0
  /// The number of in-app messages.
  package var messages = 0
  /// The number of a campaign's runs that have not begun, or whose test is not decided.
  package var waitingRuns = 0
  /// The number of notifications that are not over.
  package var unfinished = 0
  package var targeted = 0
  /// The devices for which APNs accepted the notification, or whose inbox got the message.
  package var accepted = 0
  package var displayed = 0
  package var opened = 0
  /// The devices on which an event is credited to one of the notifications, by the name of the event.
  package var conversions: [String: Int] = [:]

  package init() {}
}

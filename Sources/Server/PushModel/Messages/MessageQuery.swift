/// A query for the in-app messages of an app.
package struct MessageQuery: Sendable {
  /// An order of the list.
  package enum Order: String, CaseIterable, Sendable { case newest, oldest }

  /// A part of the message's title, ignoring the case of ASCII letters.
  package var text: String
  /// The state that the messages have at a time; `nil` for messages in any state.
  package var state: (state: Message.State, time: Timestamp)?
  /// Whether to leave out the messages of triggered campaigns, whose steps may each have one every five seconds.
  package var leavesOutTriggered = false
  /// Whether a run of a campaign is listed once, by its last message that matches, in place of each of its variants.
  package var foldsRuns = false
  package var order = Order.newest

  /// Makes a query; without arguments, it matches every message.
  package init(_ text: String = "") { self.text = text }
}

extension Message {
  /// Whether inboxes show a message.
  package enum State: String, CaseIterable, Sendable {
    /// Inboxes do not show the message yet.
    case planned
    case published
    /// Inboxes no longer show the message.
    case ended
  }

  /// The state of the message at a time.
  package func state(at time: Timestamp) -> State {
    if unpublishAt <= time { return .ended }
    return publishAt > time ? .planned : .published
  }
}

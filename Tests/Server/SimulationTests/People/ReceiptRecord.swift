/// What a phone tells of a push that came to it.
struct ReceiptRecord: Hashable, Sendable {
  enum Event: String, CaseIterable, Sendable { case displayed, opened }

  /// The id of the notification.
  var send: String
  var device: Int
  var event: Event
}

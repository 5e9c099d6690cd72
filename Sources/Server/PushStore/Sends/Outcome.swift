/// The result of a send for one device.
///
/// The push's `apns-id` is derived from the send and the device, so it is not stored. The
/// properties from ``token`` on only update the device; they are `nil` in an outcome that is read
/// from a store.
package struct Outcome: Hashable, Sendable {
  package enum Result: String, CaseIterable, Sendable {
    case sent, rejected, uninstalled
  }

  package var device: UInt32
  package var result: Result
  /// The HTTP status of APNs' answer; `nil` where nothing was sent.
  package var status: Int?
  /// The reason in APNs' answer, or why nothing was sent.
  package var reason: String?
  package var time: Timestamp
  /// The token that was used; the answer of APNs does not apply to a newer one.
  package var token: String?
  /// The timestamp in a 410: when APNs confirmed that the token was no longer valid.
  package var goneSince: Timestamp?
  /// Whether the token is one of the development environment, where that is not what the device
  /// said.
  package var learnedDevelopment: Bool?
  /// The badge of the push, which the app's icon shows from now on.
  package var badge: Int64?

  package init(
    device: UInt32, result: Result, status: Int?, reason: String?, time: Timestamp,
    token: String? = nil, goneSince: Timestamp? = nil
  ) {
    self.device = device
    self.result = result
    self.status = status
    self.reason = reason
    self.time = time
    self.token = token
    self.goneSince = goneSince
  }

  /// Which limit of the app has held the push back; `nil` where none has.
  package var limit: SendLimit? { end.limit }

  /// The result, the status and the reason.
  package var end: OutcomeReason { OutcomeReason(result: result, status: status, reason: reason) }

  /// Whether this is its end, compared without a copy of the reason.
  func hasEnd(_ end: OutcomeReason) -> Bool {
    result == end.result && status == end.status && reason == end.reason
  }
}

/// A result with its status and reason, by which outcomes are counted.
package struct OutcomeReason: Hashable, Sendable {
  package var result: Outcome.Result
  package var status: Int?
  package var reason: String?

  package init(result: Outcome.Result, status: Int?, reason: String?) {
    self.result = result
    self.status = status
    self.reason = reason
  }

  /// Which limit of the app has held the push back; `nil` where none has.
  var limit: SendLimit? {
    result == .rejected && status == nil ? reason.flatMap(SendLimit.init(reason:)) : nil
  }
}

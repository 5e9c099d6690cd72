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
  /// The HTTP status of APNs' answer; `nil` if no push was sent.
  package var status: Int?
  /// The reason in APNs' answer, or the reason for which no push was sent.
  package var reason: String?
  package var time: Timestamp
  /// The token that was used; APNs' answer does not apply to a newer token.
  package var token: String?
  /// The timestamp in a 410, at which APNs confirmed that the token was no longer valid.
  package var goneSince: Timestamp?
  /// The token's environment, if it is not the one that the device reported: `true` for development.
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

  /// The limit of the app that held the push back; `nil` if no limit held it back.
  package var limit: SendLimit? { end.limit }

  /// The result, the status and the reason.
  package var end: OutcomeReason { OutcomeReason(result: result, status: status, reason: reason) }

  /// Whether the outcome has this end, compared without copying the reason.
  func hasEnd(_ end: OutcomeReason) -> Bool {
    result == end.result && status == end.status && reason == end.reason
  }
}

/// A result with its status and reason, for counting outcomes.
package struct OutcomeReason: Hashable, Sendable {
  package var result: Outcome.Result
  package var status: Int?
  package var reason: String?

  package init(result: Outcome.Result, status: Int?, reason: String?) {
    self.result = result
    self.status = status
    self.reason = reason
  }

  /// The limit of the app that held the push back; `nil` if no limit held it back.
  package var limit: SendLimit? {
    result == .rejected && status == nil ? reason.flatMap(SendLimit.init(reason:)) : nil
  }
}

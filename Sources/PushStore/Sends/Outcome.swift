/// How a send ended for one device.
///
/// The push's apns-id follows from the send and the device, so it is not kept. What is about the
/// device, from ``token`` on, is for the store to learn from and is not read back.
package struct Outcome: Hashable, Sendable {
  package enum Result: String, CaseIterable, Sendable {
    case sent, rejected, uninstalled
  }

  package var device: UInt32
  package var result: Result
  /// The HTTP status of Apple's answer; `nil` where nothing was sent.
  package var status: Int?
  package var reason: String?
  package var time: Timestamp
  /// The token that was used, where Apple's answer is about it: it says nothing about a newer one.
  package var token: String?
  /// Since when Apple knows the token to be gone, in a 410.
  package var goneSince: Timestamp?
  /// Which of Apple's hosts turned out to have the token, where the device said another.
  package var learnedDevelopment: Bool?
  /// The number the app's icon shows from now on, where the push said one.
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

  package var end: OutcomeReason { OutcomeReason(result: result, status: status, reason: reason) }
}

/// One way for a push to end.
package struct OutcomeReason: Hashable, Sendable {
  package var result: Outcome.Result
  package var status: Int?
  package var reason: String?

  package init(result: Outcome.Result, status: Int?, reason: String?) {
    self.result = result
    self.status = status
    self.reason = reason
  }
}

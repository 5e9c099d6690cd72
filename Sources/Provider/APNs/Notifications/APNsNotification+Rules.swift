import FoundationEssentials
import PushPayload

extension APNsNotification {
  /// Returns the reason why APNs would refuse this push, whatever the device; `nil` if only APNs can tell.
  ///
  /// Every 4xx answer counts against the connection: Apple slows it down and finally closes it. So the client
  /// does not send a push that it knows to be wrong. APNs alone judges the device token, whose length is not fixed,
  /// and push types that ``PushType`` does not list.
  ///
  /// - Parameter usesToken: Whether the connection authenticates with provider tokens, not with a certificate.
  /// - Returns: A sentence that names the header or the payload, and the value that it takes.
  func problem(withToken usesToken: Bool) -> String? {
    let requirements = pushType.requirements
    if deviceToken.isEmpty { return "the device token is empty" }
    if pushType.rawValue.isEmpty || !pushType.rawValue.utf8.allSatisfy(Self.isVisible) {
      return "apns-push-type is empty, or has a character that no push type has"
    }
    if let problem = pushType.problem(withTopic: topic) { return problem }
    if priority.map({ !requirements.priorities.contains($0) }) ?? requirements.needsPriority {
      let value = priority.map { "is \($0)" } ?? "is missing, which means 10"
      let taken = requirements.priorities.map(String.init).joined(separator: ", ")
      return "apns-priority \(value); push type \(pushType.rawValue) takes \(taken)"
    }
    if let expiration, expiration.seconds < 0 {
      return "apns-expiration is \(expiration.seconds); it takes seconds since 1970, or 0"
    }
    if let collapseID, let problem = PushType.problem(withCollapseID: collapseID) {
      return problem
    }
    if !id.isUUID { return "apns-id must be a UUID in the form 8-4-4-4-12" }
    if payload.isEmpty { return "the payload is empty" }
    if payload.count > requirements.payloadLimit {
      return "the payload has \(payload.count) bytes; the limit is \(requirements.payloadLimit)"
    }
    if requirements.needsProviderToken, !usesToken {
      return
        "push type \(pushType.rawValue) needs a provider token; APNs takes no certificate for it"
    }
    return nil
  }

  /// Whether a byte is a printable ASCII character other than the space.
  static func isVisible(_ byte: UInt8) -> Bool { 0x21...0x7e ~= byte }
}

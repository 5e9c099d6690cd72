/// The decision of ``VirtualAPNs/Configuration/decide`` about a push that the sandbox would accept.
///
/// ```swift
/// configuration.decide = { push in
///   push.headers["apns-priority"] == "10" ? .refuse(status: 429, reason: "TooManyRequests") : .accept
/// }
/// ```
public struct SandboxDecision: Hashable, Sendable {
  enum Kind: Hashable {
    case accept, stall
    case refuse(status: Int, reason: String, timestamp: Int64?)
  }
  let kind: Kind

  /// Answers with 200.
  public static let accept = SandboxDecision(kind: .accept)
  /// Gives no answer.
  public static let stall = SandboxDecision(kind: .stall)

  /// Answers with a refusal, and does not deliver the push.
  ///
  /// - Parameters:
  ///   - status: The status, such as 410.
  ///   - reason: Apple's reason, such as `Unregistered`.
  ///   - timestamp: With 410, when the token became inactive, in milliseconds since 1970.
  /// - Returns: The decision.
  public static func refuse(
    status: Int, reason: String, timestamp: Int64? = nil
  ) -> SandboxDecision {
    SandboxDecision(kind: .refuse(status: status, reason: reason, timestamp: timestamp))
  }
}

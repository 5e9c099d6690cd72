/// A broadcast channel.
public struct APNsChannel: Hashable, Sendable {
  /// The message storage policy of a channel: the pushes that APNs keeps for devices that are offline.
  ///
  /// A policy that Apple adds later can be made from its number.
  public struct Storage: RawRepresentable, Hashable, Sendable {
    /// The `message-storage-policy`.
    public var rawValue: Int

    /// Makes a policy from its number.
    ///
    /// - Parameter rawValue: The `message-storage-policy`.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Nothing is stored: the channel has a larger budget of pushes, and their expiration must be 0.
    public static let none = Storage(rawValue: 0)
    /// The most recent push is stored for up to eight hours.
    public static let mostRecent = Storage(rawValue: 1)
  }

  /// The channel id that APNs assigned, in base64.
  public var id: String
  /// The message storage policy; `nil` if it is not known.
  public var storage: Storage?

  /// Makes a reference to a channel that was created before.
  ///
  /// - Parameters:
  ///   - id: The channel id that APNs assigned.
  ///   - storage: The message storage policy; with `nil` only APNs checks a broadcast's expiration.
  public init(id: String, storage: Storage? = nil) {
    self.id = id
    self.storage = storage
  }
}

/// A push to all subscribers of a channel: an update or the end of a Live Activity.
public struct APNsBroadcast: Hashable, Sendable {
  /// The most bytes of the payload.
  package static let payloadLimit = 5120

  /// The channel.
  public var channel: APNsChannel
  /// The `apns-expiration` header in seconds since 1970; 0 is one attempt without storing.
  public var expiration: APNsExpiration
  /// The `apns-priority` header: 10 immediately, 5 considering power, 1 without waking the device.
  public var priority: Int
  /// The `apns-request-id` header: a lower-case UUID.
  public var id: String
  /// The JSON body, at most 5120 bytes.
  public var payload: [UInt8]

  /// Makes a broadcast.
  ///
  /// - Parameters:
  ///   - channel: The channel.
  ///   - expiration: When APNs stops trying; one attempt is the only value for a channel without storage.
  ///   - priority: 10, 5 or 1.
  ///   - id: A lower-case UUID; by default a new one.
  ///   - payload: The encoded JSON.
  public init(
    to channel: APNsChannel, expiration: APNsExpiration = .oneAttempt, priority: Int = 10,
    id: String? = nil,
    payload: [UInt8]
  ) {
    self.channel = channel
    self.expiration = expiration
    self.priority = priority
    self.id = id ?? APNsNotification.newID()
    self.payload = payload
  }
}

/// The error of a channel management request.
public struct APNsChannelError: Error, Sendable, CustomStringConvertible {
  /// The outcome of the request, with Apple's status and reason if APNs answered.
  ///
  /// Its ``APNsOutcome/retry(hasCollapseID:)`` says when to try again.
  public var outcome: APNsOutcome

  init(_ outcome: APNsOutcome) { self.outcome = outcome }

  init(_ answer: PushAnswer, _ message: String) {
    outcome = answer.outcome(ofID: "")
    outcome.message = message
  }

  /// A description of the failure, in one line.
  public var description: String {
    let head = outcome.kind == .answered ? "APNs answered" : outcome.kind.rawValue
    let parts = [head, outcome.status.map(String.init), outcome.reason?.rawValue]
    let text = parts.compactMap(\.self).joined(separator: " ")
    return outcome.message.map { "\(text): \($0)" } ?? text
  }
}

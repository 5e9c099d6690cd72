/// A broadcast channel.
public struct APNsChannel: Hashable, Sendable {
  /// What APNs keeps of a channel's pushes for devices that are out of reach.
  ///
  /// Open: a policy that Apple adds is made from its number.
  public struct Storage: RawRepresentable, Hashable, Sendable {
    /// The `message-storage-policy`.
    public var rawValue: Int

    /// Makes a policy from its number.
    ///
    /// - Parameter rawValue: The `message-storage-policy`.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Nothing: a larger budget of pushes, and no expiration but 0.
    public static let none = Storage(rawValue: 0)
    /// The most recent push, for up to eight hours.
    public static let mostRecent = Storage(rawValue: 1)
  }

  /// What APNs named it, in base64.
  public var id: String
  /// What APNs keeps; `nil` where it is not known here.
  public var storage: Storage?

  /// Names a channel that was made before.
  ///
  /// - Parameters:
  ///   - id: What APNs named it.
  ///   - storage: What APNs keeps; with `nil` APNs alone checks the expiration.
  public init(id: String, storage: Storage? = nil) {
    self.id = id
    self.storage = storage
  }
}

/// One push to all who subscribed to a channel: an update or the end of a Live Activity.
public struct APNsBroadcast: Hashable, Sendable {
  /// Where it goes.
  public var channel: APNsChannel
  /// Seconds since 1970 after which it is worthless; 0 is one attempt without storing.
  public var expiration: Int64
  /// 10 at once, 5 considering power, 1 never waking the device.
  public var priority: Int
  /// The `apns-request-id` header: a lower-case UUID.
  public var id: String
  /// The JSON body, at most 5120 bytes.
  public var payload: [UInt8]

  /// Makes a broadcast.
  ///
  /// - Parameters:
  ///   - channel: Where it goes.
  ///   - expiration: Seconds since 1970; 0 is one attempt, and all that a channel without storage takes.
  ///   - priority: 10, 5 or 1.
  ///   - id: A lower-case UUID; a new one when left out.
  ///   - payload: The encoded JSON.
  public init(
    to channel: APNsChannel, expiration: Int64 = 0, priority: Int = 10, id: String? = nil,
    payload: [UInt8]
  ) {
    self.channel = channel
    self.expiration = expiration
    self.priority = priority
    self.id = id ?? APNsNotification.newID()
    self.payload = payload
  }
}

/// Why a call about channels did not do what was asked.
public struct APNsChannelError: Error, Sendable, CustomStringConvertible {
  /// How far the call came, and Apple's status and reason where there are such.
  ///
  /// Its ``APNsOutcome/retry(hasCollapseID:)`` says when to try again.
  public var outcome: APNsOutcome

  init(_ outcome: APNsOutcome) { self.outcome = outcome }

  init(_ answer: PushAnswer, _ message: String) {
    outcome = answer.outcome(ofID: "")
    outcome.message = message
  }

  /// What went wrong, in one line.
  public var description: String {
    let head = outcome.kind == .answered ? "APNs answered" : outcome.kind.rawValue
    let parts = [head, outcome.status.map(String.init), outcome.reason?.rawValue]
    let text = parts.compactMap(\.self).joined(separator: " ")
    return outcome.message.map { "\(text): \($0)" } ?? text
  }
}

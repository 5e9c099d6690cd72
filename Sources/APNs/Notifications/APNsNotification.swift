import FoundationEssentials
public import PushPayload
import Synchronization

/// One push to one device, as it goes to Apple.
///
/// The payload is already encoded, so that a payload shared by many devices is encoded once. What APNs
/// refuses whatever the device — a wrong priority, a payload over its limit — does not leave: its
/// outcome is never sent, and ``APNsOutcome/isInvalid``. Of all else APNs is the judge.
public struct APNsNotification: Hashable, Sendable {
  /// The device token in hexadecimal; Apple fixes no length.
  public var deviceToken: String
  /// The `apns-topic` header: the app's bundle id, with the suffix its push type asks for.
  public var topic: String
  /// The `apns-push-type` header.
  public var pushType: PushType
  /// The `apns-priority` header: 10 at once, 5 considering power, 1 never waking the device; `nil`
  /// leaves it to APNs, which takes 10.
  public var priority: Int?
  /// The `apns-expiration` header in seconds since 1970; 0 is one attempt without storing, `nil`
  /// lets APNs keep it up to 30 days.
  public var expiration: Int64?
  /// The `apns-collapse-id` header: a later push with the same one replaces this; at most 64 bytes.
  public var collapseID: String?
  /// The `apns-id` header: a lower-case UUID, which the answer repeats.
  public var id: String
  /// The JSON body: at most 4096 bytes, 5120 for `PushType.voip`.
  public var payload: [UInt8]

  /// Makes a push.
  ///
  /// - Parameters:
  ///   - deviceToken: The device token in hexadecimal.
  ///   - topic: The bundle id, with the suffix its push type asks for.
  ///   - pushType: What kind of push it is.
  ///   - priority: 10, 5 or 1; `nil` leaves it to APNs.
  ///   - expiration: Seconds since 1970 after which it is worthless; `nil` leaves it to APNs.
  ///   - collapseID: What later pushes replace this one by.
  ///   - id: A lower-case UUID; a new one when left out.
  ///   - payload: The encoded JSON.
  public init(
    deviceToken: String, topic: String, pushType: PushType = .alert, priority: Int? = nil,
    expiration: Int64? = nil, collapseID: String? = nil,
    id: String? = nil, payload: [UInt8]
  ) {
    self.deviceToken = deviceToken
    self.topic = topic
    self.pushType = pushType
    self.priority = priority
    self.expiration = expiration
    self.collapseID = collapseID
    self.id = id ?? Self.newID()
    self.payload = payload
  }

  /// What the ids of this process end in: chance at first, then one more each time.
  private static let tail = Atomic(UInt64.random(in: .min ... .max))

  /// A UUID of version 7 (RFC 9562 section 5.7, method 2 of 6.2) in lower case: the time, then
  /// ``tail``.
  ///
  /// Not Foundation's, which on Linux opens a file for each: that took a third of the time of a push.
  static func newID() -> String {
    let ticks = UInt64(max(0, Date().timeIntervalSince1970) * 4_096_000)  // 4096 a millisecond
    let high = (ticks >> 12) << 16 | 0x7000 | ticks & 0xfff
    let low = tail.wrappingAdd(1, ordering: .relaxed).newValue & ~(3 << 62) | 2 << 62
    return String(uuid: high, low)
  }
}

import FoundationEssentials
public import PushPayload
import Synchronization

/// A push to one device: its device token, headers and payload.
///
/// The payload is already encoded, so that one for many devices is encoded once. A push that APNs would refuse
/// whatever the device, such as one with a wrong priority or a payload over its limit, is not sent: its outcome is
/// never sent and ``APNsOutcome/isInvalid``. Everything else is left to APNs.
///
/// ```swift
/// let payload = APNsPayload(aps: APS(alert: Alert(title: "Rain", body: "At noon")))
/// let notification = APNsNotification(
///   deviceToken: deviceToken, topic: "com.example.app", priority: 5, collapseID: "forecast",
///   payload: Array(payload.encoded()))
/// ```
public struct APNsNotification: Hashable, Sendable {
  /// The device token in hexadecimal; Apple fixes no length.
  public var deviceToken: String
  /// The `apns-topic` header: the app's bundle id with the suffix of the push type.
  public var topic: String
  /// The `apns-push-type` header.
  public var pushType: PushType
  /// The `apns-priority` header: 10 immediately, 5 considering power, 1 without waking the device; `nil` is the
  /// default of APNs, 10.
  public var priority: Int?
  /// The `apns-expiration` header in seconds since 1970; 0 is one attempt without storing, `nil` lets APNs store the
  /// push up to 30 days.
  public var expiration: APNsExpiration?
  /// The `apns-collapse-id` header: a later push with the same id replaces this one; at most 64 bytes.
  public var collapseID: String?
  /// The `apns-id` header: a lower-case UUID, which the answer repeats.
  public var id: String
  /// The JSON body: at most 4096 bytes, 5120 for `PushType.voip`.
  public var payload: [UInt8]

  /// Makes a push.
  ///
  /// - Parameters:
  ///   - deviceToken: The device token in hexadecimal.
  ///   - topic: The bundle id with the suffix of the push type.
  ///   - pushType: The push type.
  ///   - priority: 10, 5 or 1; `nil` for the default of APNs.
  ///   - expiration: The time at which APNs stops trying; `nil` for the default of APNs.
  ///   - collapseID: The id with which a later push replaces this one.
  ///   - id: A lower-case UUID; by default a new one.
  ///   - payload: The encoded JSON.
  public init(
    deviceToken: String, topic: String, pushType: PushType = .alert, priority: Int? = nil,
    expiration: APNsExpiration? = nil, collapseID: String? = nil,
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

  /// The counter that ids end in; it starts at a random number.
  private static let counter = Atomic(UInt64.random(in: .min ... .max))

  /// Makes a UUID of version 7 (RFC 9562 section 5.7, method 2 of 6.2) in lower case: the time, then ``counter``.
  ///
  /// Foundation's UUID opens a file for each on Linux, which took a third of the time of a push.
  static func newID() -> String {
    let ticks = UInt64(max(0, Date().timeIntervalSince1970) * 4_096_000)  // 4096 a millisecond
    let high = (ticks >> 12) << 16 | 0x7000 | ticks & 0xfff
    let low = counter.wrappingAdd(1, ordering: .relaxed).newValue & ~(3 << 62) | 2 << 62
    return String(uuid: high, low)
  }
}

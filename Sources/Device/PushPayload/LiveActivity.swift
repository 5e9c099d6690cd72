#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The keys of ``APS`` that a Live Activity push carries.
///
/// ```swift
/// let update = LiveActivity.update(
///   contentState: ["lap": 12, "leader": "Ada"], at: .now, staleDate: .now + 300)
/// let payload = APNsPayload(update, alert: Alert(title: "Lap 12", body: "Ada leads"))
/// ```
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
public struct LiveActivity: Hashable, Sendable {
  /// `start`, `update` or `end`.
  public var event: String
  /// The time of sending, to the second; the system ignores a push that is older than the last.
  public var timestamp: Date?
  /// An object that decodes to the activity's `ContentState`.
  public var contentState: JSONValue?
  /// The time at which the content is outdated, to the second.
  public var staleDate: Date?
  /// The time at which an ended activity leaves the lock screen, to the second; for `end`.
  public var dismissalDate: Date?
  /// The name of the `ActivityAttributes` type, for `start`.
  public var attributesType: String?
  /// The attributes, for `start`.
  public var attributes: JSONValue?
  /// Whether the started activity gets a push token of its own, for `start`.
  public var inputPushToken = false
  /// The broadcast channel that the started activity follows, in base64, for `start` (iOS 18).
  public var inputPushChannel: String?

  /// Makes the keys of an event, without any content.
  ///
  /// - Parameter event: `start`, `update` or `end`.
  public init(event: String) { self.event = event }

  init?(_ reader: inout ObjectReader) {
    guard let event = reader.string("event") else { return nil }
    self.event = event
    timestamp = reader.integer("timestamp").map(Self.date)
    contentState = reader.object("content-state")
    staleDate = reader.integer("stale-date").map(Self.date)
    dismissalDate = reader.integer("dismissal-date").map(Self.date)
    attributesType = reader.string("attributes-type")
    attributes = reader.object("attributes")
    inputPushToken = reader.flag("input-push-token")
    inputPushChannel = reader.string("input-push-channel")
  }

  func write(to object: inout [String: JSONValue]) {
    object["event"] = .string(event)
    object["timestamp"] = timestamp.map(Self.seconds) ?? object["timestamp"]
    object["content-state"] = contentState ?? object["content-state"]
    object["stale-date"] = staleDate.map(Self.seconds) ?? object["stale-date"]
    object["dismissal-date"] = dismissalDate.map(Self.seconds) ?? object["dismissal-date"]
    object["attributes-type"] = attributesType.map(JSONValue.string) ?? object["attributes-type"]
    object["attributes"] = attributes ?? object["attributes"]
    if inputPushToken { object["input-push-token"] = 1 }
    object["input-push-channel"] =
      inputPushChannel.map(JSONValue.string) ?? object["input-push-channel"]
  }

  private static func date(_ seconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(seconds))
  }

  private static func seconds(_ date: Date) -> JSONValue {
    .integer(Int64(saturating: date.timeIntervalSince1970.rounded(.down)))
  }
}

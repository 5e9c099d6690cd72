/// The keys of ``APS`` that a Live Activity push carries.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
public struct LiveActivity: Hashable, Sendable {
  /// `start`, `update` or `end`.
  public var event: String
  /// When it was sent, UNIX seconds; the system ignores stale ones.
  public var timestamp: Int64?
  /// What decodes to the activity's `ContentState`.
  public var contentState: JSONValue?
  /// When the content is outdated, UNIX seconds.
  public var staleDate: Int64?
  /// When it leaves the lock screen, UNIX seconds.
  public var dismissalDate: Int64?
  /// The name of the `ActivityAttributes` type, for `start`.
  public var attributesType: String?
  /// The attributes, for `start`.
  public var attributes: JSONValue?
  /// Whether the system hands out a new update token, for `start`.
  public var inputPushToken = false
  /// The channel to subscribe to, base64, for `start`.
  public var inputPushChannel: String?

  /// Makes the keys of one event.
  ///
  /// - Parameter event: `start`, `update` or `end`.
  public init(event: String) { self.event = event }

  init?(_ reader: inout ObjectReader) {
    guard let event = reader.string("event") else { return nil }
    self.event = event
    timestamp = reader.whole("timestamp")
    contentState = reader.take("content-state", "an object") { $0.object == nil ? nil : $0 }
    staleDate = reader.whole("stale-date")
    dismissalDate = reader.whole("dismissal-date")
    attributesType = reader.string("attributes-type")
    attributes = reader.take("attributes", "an object") { $0.object == nil ? nil : $0 }
    inputPushToken = reader.one("input-push-token")
    inputPushChannel = reader.string("input-push-channel")
  }

  func write(to object: inout [String: JSONValue]) {
    object["event"] = .string(event)
    object["timestamp"] = timestamp.map(JSONValue.integer) ?? object["timestamp"]
    object["content-state"] = contentState ?? object["content-state"]
    object["stale-date"] = staleDate.map(JSONValue.integer) ?? object["stale-date"]
    object["dismissal-date"] = dismissalDate.map(JSONValue.integer) ?? object["dismissal-date"]
    object["attributes-type"] = attributesType.map(JSONValue.string) ?? object["attributes-type"]
    object["attributes"] = attributes ?? object["attributes"]
    if inputPushToken { object["input-push-token"] = 1 }
    object["input-push-channel"] =
      inputPushChannel.map(JSONValue.string) ?? object["input-push-channel"]
  }
}

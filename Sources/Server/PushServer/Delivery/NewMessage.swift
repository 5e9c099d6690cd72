import PushModel
import PushPayload

/// The `message` of a request, checked.
struct NewMessage: Sendable {
  /// The time for which inboxes show a message without `unpublish_at`: 90 days.
  static let life = Duration.seconds(90 * 86_400)

  var target: Target
  var title: String
  /// The members `text`, `type`, `url`, `custom` and the media that the request has.
  private(set) var content: [String: JSONValue]
  private(set) var unpublishAt: Timestamp
  /// The payload of the attached push.
  private(set) var payload: BodyValue?
  /// The time at which the push is sent and the message is published.
  private(set) var timing: SendTiming
  /// Whether the push is sent although `martlet lint` calls it an error.
  private(set) var isForced: Bool

  init(_ field: BodyValue, at now: Timestamp) throws(RequestError) {
    target = try Target(try field.required("to"))
    let shown = try MessageContent(field)
    (title, content) = (shown.title, shown.members)
    let notification = field["notification"]
    timing = try SendTiming(notification, scheduledIn: field, at: now)
    let first = max(now, timing.scheduledAt ?? now)
    unpublishAt = first + Self.life
    if let value = field["unpublish_at"] {
      guard let time = Timestamp(iso8601: try value.string()) else {
        throw .refused(value.path, "must be an ISO 8601 date")
      }
      guard time > now else { throw .refused(value.path, "must be in the future") }
      guard time > first else { throw .refused(value.path, "must be after scheduled_at") }
      unpublishAt = time
    }
    payload = try notification?.required("payload")
    isForced = try notification?["force"]?.bool() ?? false
    if let payload, try payload.object().isEmpty {
      throw .refused(payload.path, "must not be empty")
    }
  }

  /// Returns the push's payload with the message's id and media in `_st`, beside the caller's own members there.
  ///
  /// `isJudged` refuses what `martlet lint` calls an error.
  func attached(
    to message: String, at now: Timestamp, isJudged: Bool = true
  ) throws(RequestError) -> BodyValue? {
    guard let payload else { return nil }
    var members = try payload.object()
    var platform = try payload["_st"]?.object() ?? [:]
    platform["mid"] = .string(message)
    platform["image_url"] = platform["image_url"] ?? content["card_image_url"]
    platform["video_url"] = platform["video_url"] ?? content["card_media_url"]
    members["_st"] = .object(platform)
    // Media need the service extension, which runs only for a mutable push.
    let hasMedia = platform["image_url"] != nil || platform["video_url"] != nil
    if hasMedia, try CallerPayload(payload)["mutable_content"] == nil {
      members["mutable_content"] = true
    }
    let merged = BodyValue(.object(members), at: payload.path)
    try merged.judged(at: now, isForced: isForced || !isJudged)
    return merged
  }
}

import APNs
import PushPayload

/// The part of a caller's payload that is the same for every device, and the headers that follow
/// from it.
struct SharedContent: Sendable {
  var payload: APNsPayload
  var pushType: PushType
  var priority: Int
  /// The caller's collapse id; `nil` uses the notification's id.
  var collapseKey: String?

  /// The API's own keys, which are not copied beside `aps`.
  private static let known: Set<String> = [
    "alert", "title", "subtitle", "badge", "sound", "category", "content_available",
    "mutable_content", "interruption_level", "relevance_score", "collapse_key", "_overflow",
    "_channel_id",
  ]

  /// Reads everything but the texts and the badge.
  ///
  /// `hasTextOrBadge` says whether the payload has them, in which case the push is not silent.
  init(_ field: BodyValue, hasTextOrBadge: Bool) throws(APIError) {
    let object = try field.object()
    var aps = APS()
    aps.sound = try field["sound"].map { sound throws(APIError) in
      APS.Sound(try sound.string())
    }
    aps.category = try field["category"]?.string()
    aps.contentAvailable = try field["content_available"]?.bool() ?? false
    aps.mutableContent = try field["mutable_content"]?.bool() ?? false
    aps.interruptionLevel = try Self.interruptionLevel(field)
    aps.relevanceScore = try field["relevance_score"]?.number(in: 0...1)
    collapseKey = try Self.collapseKey(field)
    if let platform = field["_st"] { _ = try platform.object() }

    // Unknown keys are custom data beside `aps`; `aps` and `_nid` are written by the server only.
    let custom = object.filter { !Self.known.contains($0.key) && $0.key != "aps" }
    payload = APNsPayload(aps: aps, custom: custom)
    let isSilent = aps.contentAvailable && !hasTextOrBadge && aps.sound == nil
    pushType = isSilent ? .background : .alert
    priority = isSilent ? 5 : 10
  }

  private static func interruptionLevel(
    _ field: BodyValue
  ) throws(APIError) -> APS.InterruptionLevel? {
    guard let field = field["interruption_level"] else { return nil }
    let level = APS.InterruptionLevel(rawValue: try field.string())
    guard APS.InterruptionLevel.all.contains(level) else {
      let words = APS.InterruptionLevel.all.map(\.rawValue).joined(separator: ", ")
      throw .refused(field.path, "must be one of \(words)")
    }
    return level
  }

  /// Reads the collapse id, which APNs limits to 64 bytes; a header has no control characters.
  private static func collapseKey(_ field: BodyValue) throws(APIError) -> String? {
    guard let field = field["collapse_key"] else { return nil }
    let key = try field.string()
    guard (1...64).contains(key.utf8.count) else {
      throw .refused(field.path, "must be 1 to 64 bytes, not \(key.utf8.count)")
    }
    guard key.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
      throw .refused(field.path, "must not have control characters")
    }
    return key
  }
}

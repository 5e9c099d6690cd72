import APNs
import PushPayload

/// The part of a caller's payload that is the same for every device, and the headers that it
/// determines.
struct SharedContent: Sendable {
  var payload: APNsPayload
  var pushType: PushType
  var priority: Int
  /// The caller's collapse id; `nil` means that the notification's id is used.
  var collapseKey: String?

  /// Reads everything except the texts and the badge.
  ///
  /// `hasTextOrBadge` says whether the payload has them; the push is then not silent.
  init(_ caller: CallerPayload, hasTextOrBadge: Bool) throws(RequestError) {
    var aps = APS()
    aps.sound = try caller["sound"].map { sound throws(RequestError) in try APS.Sound(sound) }
    aps.threadID = try caller["thread_id"]?.string()
    aps.category = try caller["category"]?.string()
    aps.contentAvailable = try caller.flag("content_available")
    aps.mutableContent = try caller.flag("mutable_content")
    aps.targetContentID = try caller["target_content_id"]?.string()
    aps.interruptionLevel = try Self.interruptionLevel(caller["interruption_level"])
    aps.relevanceScore = try caller["relevance_score"]?.number(in: 0...1)
    aps.filterCriteria = try caller["filter_criteria"]?.string()
    aps.unknown = caller.unknown
    collapseKey = try Self.collapseKey(caller.field)
    if let platform = caller.field["_st"] { _ = try platform.object() }

    payload = APNsPayload(aps: aps, custom: caller.custom)
    let isSilent = aps.contentAvailable && !hasTextOrBadge && aps.sound == nil
    pushType = isSilent ? .background : .alert
    priority = isSilent ? 5 : 10
  }

  private static func interruptionLevel(
    _ field: BodyValue?
  ) throws(RequestError) -> APS.InterruptionLevel? {
    guard let field else { return nil }
    let level = APS.InterruptionLevel(rawValue: try field.string())
    guard APS.InterruptionLevel.all.contains(level) else {
      let words = APS.InterruptionLevel.all.map(\.rawValue).joined(separator: ", ")
      throw .refused(field.path, "must be one of \(words)")
    }
    return level
  }

  /// Reads the collapse id, which APNs limits to 64 bytes; it must not have control characters, because it is a header.
  private static func collapseKey(_ field: BodyValue) throws(RequestError) -> String? {
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

extension APS.Sound {
  /// Reads the name of a sound, or the object of a critical alert.
  fileprivate init(_ field: BodyValue) throws(RequestError) {
    guard let members = field.value.object else {
      guard let name = field.value.string else {
        throw .wrongType(field, expected: "a string, or an object with critical, name and volume")
      }
      self.init(name)
      return
    }
    let names: Set = ["critical", "name", "volume"]
    if let other = members.keys.filter({ !names.contains($0) }).min() {
      throw .unknown(field.path(to: other), other, knows: names)
    }
    let isCritical = try field["critical"].map { value throws(RequestError) in
      value.value.number == nil ? try value.bool() : try value.integer(in: 0...1) == 1
    }
    self.init(
      try field["name"]?.string() ?? "default", isCritical: isCritical ?? false,
      volume: try field["volume"]?.number(in: 0...1))
  }
}

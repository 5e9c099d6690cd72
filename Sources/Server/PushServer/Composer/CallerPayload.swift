import PushPayload

/// A caller's payload.
///
/// A key of Apple's may have the API's name or Apple's name, or be in `aps` as in a payload for APNs.
///
/// A key that is given twice must have the same value both times.
struct CallerPayload {
  /// A key of a notification's `aps`.
  struct Key: Sendable {
    /// The name in Apple's `aps`, such as `thread-id`.
    let apple: String
    /// The name in the API, such as `thread_id`.
    var name: String { apple.replacing("-", with: "_") }
  }

  /// A value, and whether the caller used Apple's name or the API's.
  struct Member {
    var value: BodyValue
    /// Whether the key has Apple's name, if that differs from the API's.
    var isApples: Bool
  }

  /// The keys of `aps` in a notification.
  ///
  /// Source: Apple, "Generating a remote notification", table 1.
  static let keys = [
    "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content",
    "target-content-id", "interruption-level", "relevance-score", "filter-criteria",
  ].map(Key.init)

  /// The keys of `aps` in other pushes, each with the reason why it is refused.
  static let foreign: [String: String] = {
    let activities = [
      "timestamp", "event", "content-state", "stale-date", "dismissal-date", "attributes-type",
      "attributes", "input-push-token", "input-push-channel",
    ]
    let activity =
      "is for Live Activities; send it with POST /v6/activities/{activity_id}/notifications"
    var reasons = Dictionary(uniqueKeysWithValues: activities.map { ($0, activity) })
    reasons["content-changed"] = "is for widgets and controls, to which no notification is sent"
    return reasons
  }()

  /// The members of the payload that belong to the API and are not copied beside `aps`.
  private static let own: Set = [
    "title", "subtitle", "collapse_key", "_overflow", "_channel_id", "_nid", "aps",
  ]

  let field: BodyValue
  private var members: [String: Member] = [:]
  /// The other members, which are sent beside `aps`.
  private(set) var custom: [String: JSONValue]
  /// The keys of the caller's `aps` that Apple does not document.
  private(set) var unknown: [String: JSONValue] = [:]

  init(_ field: BodyValue) throws(RequestError) {
    self.field = field
    custom = try field.object().filter { !Self.own.contains($0.key) }
    let aps = try field["aps"].map { value throws(RequestError) in
      unknown = try value.object()
      return value
    }
    for key in Self.keys {
      let given = [
        field[key.name].map { Member(value: $0, isApples: false) },
        key.name == key.apple ? nil : field[key.apple].map { Member(value: $0, isApples: true) },
        aps?[key.apple].map { Member(value: $0, isApples: true) },
      ].compactMap { $0 }
      for name in [key.name, key.apple] { custom[name] = nil }
      unknown[key.apple] = nil
      guard let first = given.first else { continue }
      if let other = given.dropFirst().first(where: { $0.value.value != first.value.value }) {
        throw .refused(other.value.path, "contradicts \(first.value.path); give it once")
      }
      members[key.name] = first
    }
    for (key, reason) in Self.foreign.sorted(by: { $0.key < $1.key }) {
      // A name without a hyphen, such as event, may be one of the app's own keys.
      if let value = aps?[key] ?? (key.contains("-") ? field[key] : nil) {
        throw .refused(value.path, reason)
      }
    }
    unknown = unknown.filter { !$0.value.isNull }
  }

  /// The value of one of ``keys`` by its name in the API, or of another member; `nil` if it is
  /// absent or `null`.
  subscript(name: String) -> BodyValue? { members[name]?.value ?? field[name] }

  /// Reads a switch: `true` or `false`, or 1 or 0 if the caller used Apple's name, as Apple writes it.
  func flag(_ name: String) throws(RequestError) -> Bool {
    guard let member = members[name] else { return false }
    guard member.isApples, member.value.value.number != nil else {
      return try member.value.bool()
    }
    return try member.value.integer(in: 0...1) == 1
  }

  /// The `alert` of `aps` if the payload has no `alert` of its own; else `nil`.
  var alertInAps: BodyValue? { field["alert"] == nil ? field["aps"]?["alert"] : nil }
}

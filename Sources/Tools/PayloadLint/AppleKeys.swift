import PushPayload

/// The keys that Apple documents, by the object to which they belong.
enum AppleKeys {
  static let aps: Set = [
    "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content",
    "target-content-id", "interruption-level", "relevance-score", "filter-criteria", "timestamp",
    "event", "content-state", "stale-date", "dismissal-date", "attributes-type", "attributes",
    "input-push-token", "input-push-channel", "content-changed",
  ]
  static let alert: Set = [
    "title", "subtitle", "body", "launch-image", "title-loc-key", "title-loc-args",
    "subtitle-loc-key", "subtitle-loc-args", "loc-key", "loc-args",
  ]
  static let legacyAps: Set = ["url-args"]
  static let legacyAlert: Set = ["action-loc-key", "summary-arg", "summary-arg-count"]
  /// The keys of `aps` that have their own rule, or need none.
  static let knownInAps = aps.union(legacyAps).union(["title", "subtitle", "body"])
  /// The keys of `aps` that an app is unlikely to use as its own keys.
  static let unmistakable: Set = [
    "content-available", "mutable-content", "thread-id", "target-content-id", "interruption-level",
    "relevance-score", "filter-criteria", "content-state", "content-changed",
  ]
  /// The keys of `aps` that are common words; beside `aps` they count only if Apple's key accepts the value.
  static let common: Set = ["alert", "badge", "sound", "category"]

  /// Whether Apple's key accepts the type of a value.
  static func isTaken(_ value: JSONValue, by key: String) -> Bool {
    switch key {
    case "alert", "sound": value.string != nil || value.object != nil
    case "badge": value.number != nil || value.string.map { Int($0) != nil } ?? false
    case "attributes", "content-state": value.object != nil
    case "category", "thread-id", "target-content-id", "filter-criteria", "interruption-level",
      "event", "attributes-type":
      value.string != nil
    case "timestamp", "stale-date", "dismissal-date", "relevance-score": value.number != nil
    default: true
    }
  }
  static let headers: Set = [
    "apns-id", "apns-expiration", "apns-priority", "apns-topic", "apns-collapse-id",
    "apns-push-type",
  ]

  /// The key for another spelling, such as `mutableContent` or `thread_id`; `nil` if the key is not such a spelling.
  static func correction(of key: String, among keys: Set<String>) -> String? {
    guard !keys.contains(key) else { return nil }
    return keys.sorted().first { letters($0) == letters(key) }
  }

  /// The key for a typing error, such as `badges` or `muteable-content`; `nil` if the key is not near one.
  ///
  /// Apple's key must accept the value, and the first letter must be the same. For a short name only one letter may
  /// differ, because `round` and `budget` are likely to be an app's own keys.
  static func nearest(to key: String, with value: JSONValue, among keys: Set<String>) -> String? {
    let word = letters(key)
    var names: [String: String] = [:]
    for name in keys where name.first == word.first && isTaken(value, by: name) {
      let known = letters(name)
      let changes = known.count <= 5 ? 1 : 3
      if NearestName.isNear(word, known, within: changes) { names[known] = name }
    }
    return NearestName.find(word, among: names.keys.sorted()).flatMap { names[$0] }
  }

  private static func letters(_ key: String) -> String {
    key.lowercased().filter { $0 != "-" && $0 != "_" }
  }
}

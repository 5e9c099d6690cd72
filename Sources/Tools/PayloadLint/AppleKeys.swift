import PushPayload

/// The keys that Apple documents, by the object they belong to.
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
  /// The keys of `aps` that have a rule of their own, or none.
  static let knownInAps = aps.union(legacyAps).union(["title", "subtitle", "body"])
  /// The keys of `aps` that an app is unlikely to use as keys of its own.
  static let unmistakable: Set = [
    "content-available", "mutable-content", "thread-id", "target-content-id", "interruption-level",
    "relevance-score", "filter-criteria", "content-state", "content-changed",
  ]
  /// The keys of `aps` that are common words: beside `aps` they count where the value is one that Apple's key takes.
  static let common: Set = ["alert", "badge", "sound", "category"]

  /// Whether a value is of a type that Apple's key takes.
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

  /// The key that a misspelled key stands for, such as `mutableContent` or `thread_id`; `nil` for other keys.
  static func correction(of key: String, among keys: Set<String>) -> String? {
    guard !keys.contains(key) else { return nil }
    return keys.sorted().first { letters($0) == letters(key) }
  }

  /// The key that a key is a slip of, such as `badges` or `muteable-content`; `nil` for other keys.
  ///
  /// The value must be one that Apple's key takes and the first letter must be the same, and of a short name one
  /// letter may differ: `round` and `budget` are keys of an app's own.
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

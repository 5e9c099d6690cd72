/// The names that the APIs of other services have for members of a request.
enum ForeignName {
  /// Other names in lowercase letters, by the member that they stand for.
  private static let names: [String: Set<String>] = [
    "scheduled_at": [
      "sendat", "sendafter", "sendtime", "deliverat", "deliverytime", "publishat", "scheduledfor",
      "schedulefor", "starttime",
    ],
    "expires_at": ["ttl", "timetolive", "expiry", "expiration", "validuntil"],
    "throttle_per_second": ["rate", "ratelimit", "persecond", "maxpersecond"],
    "to": [
      "audience", "audienceid", "audiences", "segment", "segments", "includedsegments", "recipient",
      "recipients", "target", "targets", "filters", "userids", "users", "topic", "condition",
    ],
  ]

  private static let tags: Set = ["tag", "tags"]

  /// Names that belong in the payload of a notification.
  private static let content: Set = [
    "alert", "aps", "apns", "badge", "body", "content", "contents", "custom", "data", "headings",
    "image", "message", "sound", "text", "title",
  ]

  /// The advice for an unknown name, if `known` has a member for it; `nil` if no service has the
  /// name.
  static func advice(for name: String, among known: Set<String>) -> String? {
    let word = name.lowercased().filter { $0 != "_" && $0 != "-" }
    let isTarget = known.isSuperset(of: ["all", "any", "audience"])
    if tags.contains(word), known.contains("to") || isTarget {
      return "a tag is a filter: \"to\": [{\"name\": \"tags\", \"criteria\": [\"…\"]}]"
    }
    if content.contains(word), known.contains("payload") { return "write it in payload" }
    let member = names.filter { known.contains($0.key) && $0.value.contains(word) }.keys.min()
    return member.map { "did you mean \($0)?" }
  }
}

// From the payload to the request.

extension HostRule {
  static var requestRules: [HostRule] {
    [
      .acceptance, .usablePayload, .requestIdentifier, .userInfo, .alertText, .localizedText,
      .localizedArguments, .formatFilling, .badge, .textMembers, .flags, .interruptionLevel,
      .relevanceScore, .sound, .criticalLevel, .timeSensitiveLevel,
    ]
  }

  package static let acceptance = HostRule(
    1, "acceptance", evidence: .reverseEngineered,
    summary:
      "Accepts a push only if the app is registered for remote notifications, and any "
      + "kind of notification is allowed or the push may wake the app.")
  package static let usablePayload = HostRule(
    2, "usable-payload", evidence: .reverseEngineered,
    summary:
      "Drops a payload whose `aps` has nothing usable: no text, badge, sound or "
      + "`content-available`.")
  package static let requestIdentifier = HostRule(
    3, "request-identifier", evidence: .documented,
    summary: "Uses `apns-collapse-id` as the request's identifier, or else a generated one.")
  package static let userInfo = HostRule(
    4, "user-info", evidence: .documented,
    summary: "Passes the whole payload as `userInfo`, `aps` included.")
  package static let alertText = HostRule(
    5, "alert-text", evidence: .reverseEngineered,
    summary:
      "Uses a string `alert` as the body, and the non-empty strings of an object "
      + "`alert`.")
  package static let localizedText = HostRule(
    6, "localized-text", evidence: .documented,
    summary:
      "Looks up a `loc-key` in the `Localizable.strings` of the app's bundle, and uses "
      + "the literal text if the key is missing there.")
  package static let localizedArguments = HostRule(
    7, "localized-arguments", evidence: .reverseEngineered,
    summary:
      "Uses `loc-args` if they are an array; an element that is neither a string nor a "
      + "number is empty.")
  package static let formatFilling = HostRule(
    8, "format-filling", evidence: .reverseEngineered,
    summary:
      "Replaces `%@` in order and `%1$@` by position; `%%` is `%`, a missing argument "
      + "is `<null>`, and other placeholders are removed.")
  package static let badge = HostRule(
    9, "badge", evidence: .reverseEngineered,
    summary: "Uses a `badge` that is a number of at least 0.")
  package static let textMembers = HostRule(
    10, "text-members", evidence: .reverseEngineered,
    summary:
      "Uses `category`, `thread-id`, `target-content-id` and `filter-criteria` that are "
      + "strings; the first two must not be empty.")
  package static let flags = HostRule(
    11, "flags", evidence: .reverseEngineered,
    summary:
      "Treats `mutable-content` and `content-available` as on for a positive number, "
      + "`true`, and any value that is neither a number nor a Boolean.")
  package static let interruptionLevel = HostRule(
    12, "interruption-level", evidence: .reverseEngineered,
    summary: "Treats any `interruption-level` other than the four defined ones as `active`.")
  package static let relevanceScore = HostRule(
    13, "relevance-score", evidence: .reverseEngineered,
    summary: "Clamps `relevance-score` to 0…1.")
  package static let sound = HostRule(
    14, "sound", evidence: .reverseEngineered,
    summary:
      "Uses a non-empty string `sound` or an object: `volume` is clamped to 0…1, a "
      + "missing `name` is the default sound, and `critical` or the interruption level "
      + "`critical` makes it a critical sound.")
  package static let criticalLevel = HostRule(
    15, "critical-level", evidence: .documented,
    summary:
      "Without the critical alerts entitlement, lowers the interruption level "
      + "`critical` to `active`, and makes the sound not critical.",
    switches: ["lowersUnentitledLevels"])
  package static let timeSensitiveLevel = HostRule(
    16, "time-sensitive-level", evidence: .documented,
    summary:
      "Without the time-sensitive notifications capability, lowers the interruption "
      + "level `time-sensitive` to `active`.",
    switches: ["lowersUnentitledLevels"])
}

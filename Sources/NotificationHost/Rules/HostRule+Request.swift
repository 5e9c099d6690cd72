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
    1, "acceptance", .reverseEngineered,
    "Takes a message for an app that is registered for pushes and has any kind of notification "
      + "allowed, or that the message may wake.")
  package static let usablePayload = HostRule(
    2, "usable-payload", .reverseEngineered,
    "Drops a payload in whose `aps` nothing is usable: no text, badge, sound or "
      + "`content-available`.")
  package static let requestIdentifier = HostRule(
    3, "request-identifier", .documented,
    "Names the request by `apns-collapse-id`, else by an identifier of its own making.")
  package static let userInfo = HostRule(
    4, "user-info", .documented,
    "Gives the whole payload as `userInfo`, `aps` included.")
  package static let alertText = HostRule(
    5, "alert-text", .reverseEngineered,
    "Takes a text `alert` as the body, and of an object those members that are non-empty "
      + "texts.")
  package static let localizedText = HostRule(
    6, "localized-text", .documented,
    "Looks a `loc-key` up in the `Localizable.strings` of the app's bundle; the literal text "
      + "stands in where it is not there.")
  package static let localizedArguments = HostRule(
    7, "localized-arguments", .reverseEngineered,
    "Fills in `loc-args` where they are an array; an element that is neither text nor number "
      + "is empty.")
  package static let formatFilling = HostRule(
    8, "format-filling", .reverseEngineered,
    "Fills `%@` in order and `%1$@` by position; `%%` is `%`, a missing argument `<null>`, any "
      + "other placeholder is dropped.")
  package static let badge = HostRule(
    9, "badge", .reverseEngineered,
    "Takes a `badge` that is a number not below zero.")
  package static let textMembers = HostRule(
    10, "text-members", .reverseEngineered,
    "Takes `category`, `thread-id`, `target-content-id` and `filter-criteria` that are texts, "
      + "of the first two no empty ones.")
  package static let flags = HostRule(
    11, "flags", .reverseEngineered,
    "Counts `mutable-content` and `content-available` as on for a positive number, `true`, and "
      + "any value that is neither number nor truth value.")
  package static let interruptionLevel = HostRule(
    12, "interruption-level", .reverseEngineered,
    "Takes any other `interruption-level` than the four as `active`.")
  package static let relevanceScore = HostRule(
    13, "relevance-score", .reverseEngineered,
    "Brings `relevance-score` into 0…1.")
  package static let sound = HostRule(
    14, "sound", .reverseEngineered,
    "Takes a text `sound` that is not empty, or an object: `volume` is brought into 0…1, no "
      + "name is the default sound, `critical` or the level `critical` makes it critical.")
  package static let criticalLevel = HostRule(
    15, "critical-level", .documented,
    "Lets only an app with the entitlement be critical; without it the notification is "
      + "`active` and its sound is not critical.", switches: ["lowersUnentitledLevels"])
  package static let timeSensitiveLevel = HostRule(
    16, "time-sensitive-level", .documented,
    "Lets only an app with the capability be time-sensitive; without it the notification is "
      + "`active`.", switches: ["lowersUnentitledLevels"])
}

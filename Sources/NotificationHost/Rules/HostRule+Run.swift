// Whether and how the extension runs.

extension HostRule {
  static var runRules: [HostRule] {
    [
      .mutableContent, .alertRequired, .pushType, .alertSettings, .extensionPresent,
      .categoryGate, .serialQueue, .newInstance, .processReuse, .anyThread, .launchTime,
      .timeLimit, .expiryWarning, .debugger, .firstReply, .copyAtTheCall, .temporaryFiles,
    ]
  }

  package static let mutableContent = HostRule(
    17, "mutable-content", .documented,
    "Runs the service extension only where `mutable-content` is on.")
  package static let alertRequired = HostRule(
    18, "alert-required", .documented,
    "Runs it only for a message with a title, subtitle or body; with the filtering entitlement "
      + "for any of push type `alert`.")
  package static let pushType = HostRule(
    19, "push-type", .reverseEngineered,
    "Does not run it for a message that says another push type than `alert`.",
    switches: ["enforcesPushType", "requiresPushType"])
  package static let alertSettings = HostRule(
    20, "alert-settings", .documented,
    "Runs it only where alerts show somewhere: banner, lock screen or Notification Center; so "
      + "passive and quiet ones do run it. With the filtering entitlement any setting will do.")
  package static let extensionPresent = HostRule(
    21, "extension-present", .reverseEngineered,
    "Shows the original of an app that has no service extension.")
  package static let categoryGate = HostRule(
    22, "category-gate", .documented,
    "Runs it whatever the category, though a page of Apple's suggests otherwise.",
    switches: ["categoryGatesServiceExtension"])
  package static let serialQueue = HostRule(
    23, "serial-queue", .reverseEngineered,
    "Serves one notification of an extension after the other.")
  package static let newInstance = HostRule(
    24, "new-instance", .reverseEngineered,
    "Makes a new instance of the principal class for each notification.",
    switches: ["reusesInstance"])
  package static let processReuse = HostRule(
    25, "process-reuse", .reverseEngineered,
    "Serves later notifications in the same process, so static state survives.")
  package static let anyThread = HostRule(
    26, "any-thread", .observed,
    "Calls `didReceive` on a thread that is not the main one.")
  package static let launchTime = HostRule(
    27, "launch-time", .reverseEngineered,
    "Kills an extension that has not started when its time is up; it never sees the "
      + "notification.", switches: ["timeLimit"])
  package static let timeLimit = HostRule(
    28, "time-limit", .documented,
    "Gives 30 s from the start of the launch, then goes on without the extension.",
    switches: ["timeLimit"])
  package static let expiryWarning = HostRule(
    29, "expiry-warning", .documented,
    "Calls `serviceExtensionTimeWillExpire` once, on another thread, 1 s before the end, or "
      + "right after a slow launch.", switches: ["expiryGrace"])
  package static let debugger = HostRule(
    30, "debugger", .reverseEngineered,
    "Sets no timers for an extension that is being debugged.", switches: ["isDebugging"])
  package static let firstReply = HostRule(
    31, "first-reply", .reverseEngineered,
    "Takes the first call of the content handler, from whatever thread; later ones are only "
      + "noted.")
  package static let copyAtTheCall = HostRule(
    32, "copy-at-the-call", .reverseEngineered,
    "Copies the content at the call, so that later changes have no effect.")
  package static let temporaryFiles = HostRule(
    33, "temporary-files", .reverseEngineered,
    "Moves attached files of the temporary folder away at the call; one that cannot be moved "
      + "is not attached.", switches: ["movesTemporaryFiles"])
}

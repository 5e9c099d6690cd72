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
    17, "mutable-content", evidence: .documented,
    summary: "Runs the service extension only if `mutable-content` is on.")
  package static let alertRequired = HostRule(
    18, "alert-required", evidence: .documented,
    summary:
      "Runs the service extension only for a push with a title, subtitle or body, or "
      + "with the filtering entitlement for any push of type `alert`.")
  package static let pushType = HostRule(
    19, "push-type", evidence: .reverseEngineered,
    summary: "Does not run the service extension for a push whose push type is not `alert`.",
    switches: ["enforcesPushType", "requiresPushType"])
  package static let alertSettings = HostRule(
    20, "alert-settings", evidence: .documented,
    summary:
      "Runs the service extension only if alerts are shown as banners, on the lock "
      + "screen or in Notification Center, which includes passive and quiet delivery. "
      + "With the filtering entitlement, any allowed kind of notification is enough.")
  package static let extensionPresent = HostRule(
    21, "extension-present", evidence: .reverseEngineered,
    summary: "Shows the original content if the app has no service extension.")
  package static let categoryGate = HostRule(
    22, "category-gate", evidence: .documented,
    summary:
      "Runs the service extension for any category, although one page of Apple's "
      + "documentation suggests otherwise.",
    switches: ["categoryGatesServiceExtension"])
  package static let serialQueue = HostRule(
    23, "serial-queue", evidence: .reverseEngineered,
    summary: "Processes the notifications of an extension one after the other.")
  package static let newInstance = HostRule(
    24, "new-instance", evidence: .reverseEngineered,
    summary: "Creates a new instance of the principal class for each notification.",
    switches: ["reusesInstance"])
  package static let processReuse = HostRule(
    25, "process-reuse", evidence: .reverseEngineered,
    summary:
      "Processes later notifications in the same process, so that static state "
      + "persists.")
  package static let anyThread = HostRule(
    26, "any-thread", evidence: .observed,
    summary: "Calls `didReceive` on a thread other than the main thread.")
  package static let launchTime = HostRule(
    27, "launch-time", evidence: .reverseEngineered,
    summary:
      "Kills an extension that has not launched within the time limit; `didReceive` is "
      + "not called.",
    switches: ["timeLimit"])
  package static let timeLimit = HostRule(
    28, "time-limit", evidence: .documented,
    summary: "Ends the extension 30 s after the start of its launch, and continues without it.",
    switches: ["timeLimit", "unseenWorkLimit"])
  package static let expiryWarning = HostRule(
    29, "expiry-warning", evidence: .documented,
    summary:
      "Calls `serviceExtensionTimeWillExpire` once, on another thread, 1 s before the "
      + "end, or right after a slow launch.",
    switches: ["expiryGrace"])
  package static let debugger = HostRule(
    30, "debugger", evidence: .reverseEngineered,
    summary: "Sets no time limit for an extension with an attached debugger.",
    switches: ["isDebugging"])
  package static let firstReply = HostRule(
    31, "first-reply", evidence: .reverseEngineered,
    summary:
      "Accepts the first call of the content handler on any thread, and ignores later "
      + "ones.")
  package static let copyAtTheCall = HostRule(
    32, "copy-at-the-call", evidence: .reverseEngineered,
    summary:
      "Copies the content when the content handler is called, so that later changes "
      + "have no effect.")
  package static let temporaryFiles = HostRule(
    33, "temporary-files", evidence: .reverseEngineered,
    summary:
      "Moves attached files of the temporary folder when the content handler is called; "
      + "a file that cannot be moved is not attached.",
    switches: ["movesTemporaryFiles"])
}

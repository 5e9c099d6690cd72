import NotificationHost

/// One step of the way of a push through the system.
struct HostStep: Sendable {
  var says: String
  var rules: [HostRule]

  /// As `docs/ios-model.md` has it.
  func row(_ number: Int) -> String {
    "| \(number) | \(says) | \(rules.map { "\($0.number)" }.joined(separator: ", ")) |"
  }

  static let all = [
    HostStep(says: "The message is accepted, or not.", rules: [.acceptance]),
    HostStep(
      says: "The request is built from the payload.",
      rules: HostRule.all.filter { (2...16).contains($0.number) }),
    HostStep(says: "What it would show is known.", rules: [.alertShown, .noAlert, .alertsOff]),
    HostStep(
      says: "Whether the extension runs is decided.",
      rules: [.mutableContent, .alertRequired, .pushType, .alertSettings, .categoryGate]),
    HostStep(says: "An app without one shows the original.", rules: [.extensionPresent]),
    HostStep(
      says: "It waits its turn, and is launched.",
      rules: [.serialQueue, .newInstance, .processReuse, .anyThread, .failedStart]),
    HostStep(
      says: "Its time runs, and it may end before.",
      rules: [
        .launchTime, .timeLimit, .expiryWarning, .debugger, .exited, .crashed, .memoryLimit,
      ]),
    HostStep(
      says: "It calls its handler.", rules: [.firstReply, .copyAtTheCall, .temporaryFiles]),
    HostStep(
      says: "The outcome is decided.",
      rules: [
        .replyWithText, .replyWithoutText, .replyWithoutTextFiltered, .noReply, .noReplyFiltered,
        .filteringPushType, .userInfoReplaced,
      ]),
    HostStep(says: "The app is woken, or not.", rules: [.backgroundPush, .backgroundWake]),
    HostStep(
      says: "Its attachments are resolved.",
      rules: [
        .attachmentReadable, .attachmentPlace, .attachmentType, .attachmentSize,
        .attachmentSameFile, .attachmentStore, .attachmentStorage, .attachmentSkipped,
        .bundledFiles,
      ]),
    HostStep(says: "The original files are deleted.", rules: [.attachmentCleanUp]),
    HostStep(says: "What the extension may use comes to its end.", rules: [.notificationCenter]),
  ]

  /// What holds at any step.
  static let surroundings: [HostRule] = [.transportSecurity, .firstUnlock]
}

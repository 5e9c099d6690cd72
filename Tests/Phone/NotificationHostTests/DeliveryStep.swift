import NotificationHost

/// A step of the delivery of a push.
struct DeliveryStep: Sendable {
  var summary: String
  var rules: [HostRule]

  /// The step's row in `docs/app/ios-model.md`.
  func row(_ number: Int) -> String {
    "| \(number) | \(summary) | \(rules.map { "\($0.number)" }.joined(separator: ", ")) |"
  }

  static let all = [
    DeliveryStep(
      summary: "A push that is no notification goes to another part of the system.",
      rules: HostRule.all.filter { (73...81).contains($0.number) && $0 != .accessory }),
    DeliveryStep(summary: "The push is accepted or dropped.", rules: [.acceptance]),
    DeliveryStep(
      summary: "The request is built from the payload.",
      rules: HostRule.all.filter { (2...16).contains($0.number) }),
    DeliveryStep(
      summary: "The system checks whether there is content to show.",
      rules: [.alertShown, .noAlert, .alertsOff]),
    DeliveryStep(
      summary: "The system decides whether the extension runs.",
      rules: [.mutableContent, .alertRequired, .pushType, .alertSettings, .categoryGate]),
    DeliveryStep(
      summary: "Without an extension, the original content is shown.", rules: [.extensionPresent]),
    DeliveryStep(
      summary: "The extension is queued and launched.",
      rules: [
        .serialQueue, .newInstance, .processReuse, .anyThread, .failedStart,
        .extensionFolders, .extensionBundle,
      ]),
    DeliveryStep(
      summary: "The extension runs until it replies, ends or exceeds a limit.",
      rules: [
        .launchTime, .timeLimit, .expiryWarning, .debugger, .exited, .crashed, .memoryLimit,
      ]),
    DeliveryStep(
      summary: "The extension calls the content handler.",
      rules: [.firstReply, .copyAtTheCall, .temporaryFiles]),
    DeliveryStep(
      summary: "The outcome is determined.",
      rules: [
        .replyWithText, .replyWithoutText, .replyWithoutTextFiltered, .noReply, .noReplyFiltered,
        .filteringPushType, .userInfoReplaced,
      ]),
    DeliveryStep(
      summary: "The app is woken if the push requests it.",
      rules: [.backgroundPush, .backgroundWake]),
    DeliveryStep(
      summary: "The attachments are stored.",
      rules: [
        .attachmentReadable, .attachmentPlace, .attachmentType, .attachmentSize,
        .attachmentSameFile, .attachmentStore, .attachmentStorage, .attachmentSkipped,
        .bundledFiles, .attachmentContent,
      ]),
    DeliveryStep(summary: "The original files are deleted.", rules: [.attachmentCleanUp]),
    DeliveryStep(
      summary: "The extension loses access to the notification center.",
      rules: [.notificationCenter]),
    DeliveryStep(summary: "The notification is forwarded to an accessory.", rules: [.accessory]),
    DeliveryStep(
      summary: "A person expands the notification.",
      rules: HostRule.all.filter { (66...72).contains($0.number) }),
  ]

  /// The rules that apply at every step.
  static let rulesOfEveryStep: [HostRule] = [.transportSecurity, .firstUnlock]
}

// Rules for the end of the extension's process, and for the actions that are forbidden to it.

extension HostRule {
  static var processRules: [HostRule] {
    [.failedStart, .exited, .crashed, .memoryLimit, .notificationCenter]
  }

  package static let failedStart = HostRule(
    58, "failed-start", evidence: .reverseEngineered,
    summary:
      "Continues without an extension that cannot be started, or that ends before it is "
      + "ready.")
  package static let exited = HostRule(
    59, "exited", evidence: .reverseEngineered,
    summary:
      "Continues without an extension that exits; `serviceExtensionTimeWillExpire` is "
      + "not called.")
  package static let crashed = HostRule(
    60, "crashed", evidence: .reverseEngineered,
    summary:
      "Continues without an extension that crashes; `serviceExtensionTimeWillExpire` is "
      + "not called.")
  package static let memoryLimit = HostRule(
    61, "memory-limit", evidence: .observed,
    summary:
      "Kills an extension that uses more than 24 MiB, or 12 MiB on old phones, without "
      + "calling `serviceExtensionTimeWillExpire`.")
  package static let notificationCenter = HostRule(
    62, "notification-center", evidence: .reverseEngineered,
    summary:
      "Lets the extension use `UNUserNotificationCenter` until its notification is "
      + "delivered; after that, its changes have no effect and it reads nothing.")
}

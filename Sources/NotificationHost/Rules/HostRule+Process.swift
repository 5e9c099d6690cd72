// How the extension's process ends, and what it may not do.

extension HostRule {
  static var processRules: [HostRule] {
    [.failedStart, .exited, .crashed, .memoryLimit, .notificationCenter]
  }

  package static let failedStart = HostRule(
    58, "failed-start", .reverseEngineered,
    "Goes on without an extension that cannot be started, or ends before it is ready.")
  package static let exited = HostRule(
    59, "exited", .reverseEngineered,
    "Goes on without an extension that ends by itself; it is not warned.")
  package static let crashed = HostRule(
    60, "crashed", .reverseEngineered,
    "Goes on without an extension that crashes; it is not warned.")
  package static let memoryLimit = HostRule(
    61, "memory-limit", .observed,
    "Kills an extension that uses more than 24 MiB, on old phones 12 MiB, without a warning.")
  package static let notificationCenter = HostRule(
    62, "notification-center", .reverseEngineered,
    "Lets the extension use `UNUserNotificationCenter` until its notification is over; from then on "
      + "what it sets has no effect, and it reads nothing.")
}

/// The state machine of one extension instance: its warning, its reply and its end.
struct ExtensionLifecycle: Sendable {
  enum Event: Sendable {
    /// The instance was created.
    case launched
    /// The content handler was called.
    case replied
    /// The content handler was called again, or too late.
    case repliedAgain
    /// The time for the warning has come.
    case graceBegins
    /// The time limit has passed.
    case timeIsUp
    /// The extension has ended by itself.
    case ended
  }

  enum Action: Hashable, Sendable {
    /// Call `serviceExtensionTimeWillExpire`.
    case warn
    /// Call `serviceExtensionTimeWillExpire` right after `didReceive`: its time came during the launch.
    case warnSoon
    /// Accept the reply.
    case accept
    /// Discard the reply, which came too late.
    case discard
    /// Kill the extension, and continue without a reply.
    case kill
    /// Continue without a reply, because the extension has ended.
    case giveUp
    case nothing
  }

  /// The number of calls of the content handler, late calls included.
  private(set) var handlerCalls = 0
  /// Whether `serviceExtensionTimeWillExpire` was called.
  private(set) var expired = false
  /// Whether `didReceive` was called.
  private(set) var isLaunched = false
  private(set) var isOver = false
  /// Whether the extension was killed.
  private(set) var isKilled = false
  private var isLate = false

  mutating func on(_ event: Event) -> Action {
    switch event {
    case .launched:
      if isOver { return .nothing }
      isLaunched = true
      return isLate ? .warnSoon : .nothing
    case .replied:
      handlerCalls += 1
      if isOver { return .discard }
      isOver = true
      return .accept
    case .repliedAgain:
      handlerCalls += 1
      return .nothing
    case .graceBegins:
      if isOver { return .nothing }
      guard isLaunched else {
        isLate = true
        return .nothing
      }
      expired = true
      return .warn
    case .timeIsUp:
      if isOver { return .nothing }
      isOver = true
      isKilled = true
      return .kill
    case .ended:
      if isOver { return .nothing }
      isOver = true
      return .giveUp
    }
  }
}

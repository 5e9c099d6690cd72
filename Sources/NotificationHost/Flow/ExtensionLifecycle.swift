/// The life of one extension instance, as a value: who ends it, and with what.
struct ExtensionLife: Sendable {
  enum Event: Sendable {
    /// The instance is there.
    case launched
    /// The content handler was called.
    case replied
    /// It was called once more, or too late.
    case repliedAgain
    /// The grace before the end begins.
    case graceBegins
    /// The time is spent.
    case timeIsUp
    /// It ended of itself.
    case ended
  }

  enum Action: Hashable, Sendable {
    /// Call `serviceExtensionTimeWillExpire`.
    case warn
    /// Call it right after `didReceive`: its time came during the launch.
    case warnSoon
    /// Take the reply.
    case accept
    /// The reply came too late.
    case discard
    /// Kill it, and go on without a reply.
    case kill
    /// It is gone: go on without a reply.
    case giveUp
    case nothing
  }

  /// How often the handler was called, late calls included.
  private(set) var handlerCalls = 0
  /// Whether it was warned.
  private(set) var expired = false
  /// Whether `didReceive` was called.
  private(set) var isLaunched = false
  private(set) var isOver = false
  /// Whether it was over before it ended of itself.
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

/// The life of one extension instance, as a value: who ends it, and with what (docs/ios-model.md,
/// rules 7 and 8).
struct ExtensionLife: Sendable {
  enum Event: Sendable {
    /// The instance is there.
    case launched
    /// The content handler was called.
    case replied
    /// The grace before the end begins.
    case graceBegins
    /// The time is spent.
    case timeIsUp
  }

  enum Action: Hashable, Sendable {
    /// Call `didReceive`, and the warning after it where its time came during the launch.
    case receive(thenWarn: Bool)
    /// Call `serviceExtensionTimeWillExpire`.
    case warn
    /// Take the reply.
    case accept
    /// Go on without a reply.
    case giveUp
    /// A later call of the handler: only noted.
    case ignore
    case nothing
  }

  /// How often the handler was called, late calls included.
  private(set) var handlerCalls = 0
  /// Whether it was warned.
  private(set) var expired = false
  private var isLaunched = false
  private var isLate = false
  private var isOver = false

  mutating func on(_ event: Event) -> Action {
    switch event {
    case .launched:
      if isOver { return .nothing }
      isLaunched = true
      return .receive(thenWarn: isLate)
    case .replied:
      handlerCalls += 1
      if isOver { return .ignore }
      isOver = true
      return .accept
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
      return .giveUp
    }
  }
}

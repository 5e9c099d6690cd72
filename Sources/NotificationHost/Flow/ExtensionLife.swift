/// The life of one extension instance, as a value: who ends it, and with what (docs/ios-model.md,
/// rules 7 and 8).
struct ExtensionLife: Sendable {
  enum Event: Sendable {
    /// The content handler was called.
    case replied
    /// The grace before the end begins.
    case graceBegins
    /// The time is spent.
    case timeIsUp
  }

  enum Action: Hashable, Sendable {
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
  private var isOver = false

  mutating func on(_ event: Event) -> Action {
    switch event {
    case .replied:
      handlerCalls += 1
      if isOver { return .ignore }
      isOver = true
      return .accept
    case .graceBegins:
      if isOver { return .nothing }
      expired = true
      return .warn
    case .timeIsUp:
      if isOver { return .nothing }
      isOver = true
      return .giveUp
    }
  }
}

/// The life of a send: what may happen in each state, and what a store then does.
package struct SendLifecycle: Hashable, Sendable {
  package enum State: String, CaseIterable, Sendable {
    case scheduled, sending, pausing, paused, complete, canceled, failed

    package var isOver: Bool { self == .complete || self == .canceled || self == .failed }
    /// Whether its batches may be leased.
    package var isRunning: Bool { self == .scheduled || self == .sending }
  }

  /// What a person, or the composer, orders.
  package enum Order: Hashable, Sendable {
    case pause, resume, cancel
    /// A pause that the server itself orders; the reason is for the caller.
    case alarm(String)
    /// It cannot be composed; the reason is for the caller.
    case fail(String)
  }

  /// What a send is told.
  package enum Event: Hashable, Sendable {
    case order(Order)
    case leased
    /// A lease ended: how many batches of it are leased still, and whether any are left.
    case settled(leased: Int, hasWork: Bool)
    case expired(leased: Int)
  }

  /// What is to be done with its batches and segments.
  package enum Action: Hashable, Sendable {
    case none
    /// They wait, but nobody may lease them.
    case hold
    /// They may be leased again.
    case release
    /// Those not leased are dropped.
    case drop
    /// The state forbids it.
    case refuse
  }

  package var state: State
  package var hasStarted: Bool

  package init(state: State, hasStarted: Bool) {
    self.state = state
    self.hasStarted = hasStarted
  }

  /// Takes what happened; `leased` is how many of its batches are leased, for which a pause asks.
  package mutating func on(_ event: Event, leased: Int = 0) -> Action {
    switch event {
    case .order(let order): return obey(order, leased)
    case .leased:
      if state == .scheduled { state = .sending }
      hasStarted = true
      return .none
    case .settled(let leased, let hasWork):
      guard !state.isOver else { return .none }
      if !hasWork {
        state = .complete
      } else if state == .pausing, leased == 0 {
        state = .paused
      }
      return .none
    case .expired(let leased):
      guard !state.isOver else { return .none }
      if leased == 0 { state = .complete }
      return .drop
    }
  }

  private mutating func obey(_ order: Order, _ leased: Int) -> Action {
    switch (order, state) {
    case (.pause, .scheduled), (.pause, .sending), (.alarm, .scheduled), (.alarm, .sending):
      state = leased > 0 ? .pausing : .paused
      return .hold
    case (.pause, .pausing), (.pause, .paused), (.alarm, .pausing), (.alarm, .paused): return .none
    case (.resume, .pausing), (.resume, .paused):
      state = hasStarted ? .sending : .scheduled
      return .release
    case (.resume, .scheduled), (.resume, .sending): return .none
    case (.cancel, .canceled): return .none
    case (.cancel, _) where !state.isOver:
      state = .canceled
      return .drop
    case (.fail, _) where !state.isOver:
      state = .failed
      return .drop
    default: return .refuse
    }
  }
}

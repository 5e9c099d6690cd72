/// The state machine of a send.
package struct SendLifecycle: Hashable, Sendable {
  package enum State: String, CaseIterable, Sendable {
    case scheduled, sending, pausing, paused, complete, canceled, failed

    /// Whether the send has ended.
    package var isOver: Bool { self == .complete || self == .canceled || self == .failed }
    /// Whether the send's batches may be leased.
    package var isRunning: Bool { self == .scheduled || self == .sending }
  }

  /// An order of a client or of the server itself.
  package enum Order: Hashable, Sendable {
    case pause, resume, cancel
    /// A pause by the server, for a reason that the client can read.
    case alarm(String)
    /// The end of a send that cannot be composed, for a reason that the client can read.
    case fail(String)
  }

  /// An event that the state machine of a send handles.
  package enum Event: Hashable, Sendable {
    case order(Order)
    /// A batch was leased.
    case leased
    /// A lease ended; `leased` batches are still leased, and `hasWork` says whether devices are left.
    case settled(leased: Int, hasWork: Bool)
    /// The send expired while `leased` batches were leased.
    case expired(leased: Int)
  }

  /// The store's next action on the send's batches and segments.
  package enum Action: Hashable, Sendable {
    case none
    /// The batches and segments stay, but must not be leased.
    case hold
    /// The batches and segments may be leased again.
    case release
    /// The batches and segments that are not leased are removed.
    case drop
    /// The state forbids the order, so nothing changes.
    case refuse
  }

  package var state: State
  package var hasStarted: Bool

  package init(state: State, hasStarted: Bool) {
    self.state = state
    self.hasStarted = hasStarted
  }

  /// Handles an event.
  ///
  /// `leased` is the number of leased batches. A pause begins at once if no batch is leased.
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

package import PushPayload

/// One occurrence of a campaign: the devices that it selected, and the sends that it made.
package struct CampaignRun: Hashable, Sendable {
  /// The part of a run to which a send belongs; a run without a test has only a rollout.
  package enum Phase: String, CaseIterable, Sendable { case test, rollout }

  /// A group of a run's devices that gets no message, or no message yet.
  package enum Group: String, CaseIterable, Sendable {
    /// The devices that get no variant, with which those of the variants are compared.
    case control
    /// The devices that all campaigns of the app leave out.
    case heldOut = "held_out"
    /// The devices that get the winner of the test.
    case rest
    /// The devices in whose time zones the time of a recurring campaign has passed too long ago.
    case missed
    /// The devices in whose quiet hours the push would have been sent.
    case quiet
    /// The devices that have had as many pushes as the app allows.
    case capped
  }

  package var id: String
  package var app: String
  package var campaign: String
  /// The run's number in its campaign, from 1.
  package var number: Int
  /// The version of the campaign's document that the run follows.
  package var version: Int
  package var state = RunLifecycle.State.planned
  package var plannedAt: Timestamp
  /// The next time at which a node must act on the run; `nil` if no time is set.
  package var dueAt: Timestamp?
  package var startedAt: Timestamp?
  package var settledAt: Timestamp?
  /// The reason for which the run was skipped or canceled.
  package var reason: String?
  /// The run's report: the number of devices by reason, and the decision with the numbers that led to it.
  package var report: JSONValue = [:]

  package init(
    id: String, app: String, campaign: String, number: Int, version: Int, plannedAt: Timestamp
  ) {
    self.id = id
    self.app = app
    self.campaign = campaign
    self.number = number
    self.version = version
    self.plannedAt = plannedAt
    dueAt = plannedAt
  }

  /// The idempotency key of a variant's send, so that no phase sends a variant twice.
  package func key(of phase: Phase, variant: String) -> String {
    "run/\(id)/\(phase.rawValue)/\(variant)"
  }
}

/// The state machine of a run.
package struct RunLifecycle: Hashable, Sendable {
  package enum State: String, CaseIterable, Sendable {
    case planned, testing, deciding, rolling, settled, skipped, canceled

    /// Whether the run has settled, was skipped or was canceled.
    package var isOver: Bool { self == .settled || self == .skipped || self == .canceled }
  }

  /// An event that the state machine of a run handles.
  package enum Event: Hashable, Sendable {
    /// The run's devices were selected. `tests` says whether a sample gets the message first.
    case started(tests: Bool)
    /// The time of the test is over, and a person must decide.
    case waitsForDecision
    /// The test was decided, with or without a winning variant.
    case decided
    /// All sends of the run have ended.
    case ended
    case skip, cancel
  }

  package var state: State

  package init(state: State) { self.state = state }

  /// Handles an event.
  ///
  /// - Returns: `false` if the state forbids the event.
  package mutating func on(_ event: Event) -> Bool {
    switch (event, state) {
    case (.started(let tests), .planned): state = tests ? .testing : .rolling
    case (.waitsForDecision, .testing): state = .deciding
    // A run without a winner rolls too, because the sends of its test may still be under way.
    case (.decided, .testing), (.decided, .deciding): state = .rolling
    case (.ended, .rolling): state = .settled
    case (.skip, .planned): state = .skipped
    case (.cancel, _) where !state.isOver: state = .canceled
    default: return false
    }
    return true
  }
}

/// The share of an app's people that campaigns leave out, so that their effect can be measured.
package struct Holdout: Hashable, Sendable {
  /// The share in percent, at most ``limit``.
  package var percent: Int
  /// A salt for the choice of people; a different salt chooses different people.
  package var salt: String
  /// The time from which these people are left out.
  package var since: Timestamp

  package static let limit = 15

  package init(percent: Int, salt: String, since: Timestamp) {
    self.percent = percent
    self.salt = salt
    self.since = since
  }
}

package import PushPayload

/// One occurrence of a campaign: the devices that it selected, and the sends that it made.
package struct CampaignRun: Hashable, Sendable {
  /// The part of a run to which a send belongs; a run without a test has the second alone.
  package enum Phase: String, CaseIterable, Sendable { case test, rollout }

  /// Devices of a run that get nothing, or nothing yet.
  package enum Group: String, CaseIterable, Sendable {
    /// Those that the variant without a payload is compared with.
    case control
    /// Those that all campaigns of the app leave out.
    case heldOut = "held_out"
    /// Those that get the winner of the test.
    case rest
    /// Those in whose time zones the time of a recurring campaign was over too long ago.
    case missed
    /// Those in whose quiet hours the push would have been sent.
    case quiet
    /// Those that have had as many pushes as the app allows.
    case capped
  }

  package var id: String
  package var app: String
  package var campaign: String
  /// The run's number among those of its campaign, from 1.
  package var number: Int
  /// The version of the campaign's document that the run is of.
  package var version: Int
  package var state = RunLifecycle.State.planned
  package var plannedAt: Timestamp
  /// When a node has something to do for the run; `nil` for never.
  package var dueAt: Timestamp?
  package var startedAt: Timestamp?
  package var settledAt: Timestamp?
  /// Why the run was skipped or canceled.
  package var reason: String?
  /// What is known of the run beside its sends: devices by reason, the decision with the numbers
  /// that led to it.
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

  /// The idempotency key of the send of a variant, so that no phase sends a variant twice.
  package func key(of phase: Phase, variant: String) -> String {
    "run/\(id)/\(phase.rawValue)/\(variant)"
  }
}

/// The state machine of a run.
package struct RunLifecycle: Hashable, Sendable {
  package enum State: String, CaseIterable, Sendable {
    case planned, testing, deciding, rolling, settled, skipped, canceled

    /// Whether nothing happens to the run any more.
    package var isOver: Bool { self == .settled || self == .skipped || self == .canceled }
  }

  /// What happens to a run.
  package enum Event: Hashable, Sendable {
    /// Its devices were selected; `tests` says whether a sample is sent to first.
    case started(tests: Bool)
    /// The time of the test is over, and a person is to decide.
    case waitsForDecision
    /// A variant was chosen, or none.
    case decided
    /// All of its sends have ended.
    case ended
    case skip, cancel
  }

  package var state: State

  package init(state: State) { self.state = state }

  /// Handles an event.
  ///
  /// - Returns: `false` where the state forbids the event.
  package mutating func on(_ event: Event) -> Bool {
    switch (event, state) {
    case (.started(let tests), .planned): state = tests ? .testing : .rolling
    case (.waitsForDecision, .testing): state = .deciding
    // Without a winner the sends of the test may still be under way.
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
  /// The share in hundredths, at most ``limit``.
  package var percent: Int
  /// What the choice of people depends on beside their ids; with another one others are chosen.
  package var salt: String
  /// Since when these people are left out.
  package var since: Timestamp

  package static let limit = 15

  package init(percent: Int, salt: String, since: Timestamp) {
    self.percent = percent
    self.salt = salt
    self.since = since
  }
}

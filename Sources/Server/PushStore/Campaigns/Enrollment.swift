package import PushPayload

/// A person in a triggered campaign, from entering to the last step.
package struct Enrollment: Hashable, Sendable {
  /// Whom an enrollment is of: a user, or a device without one.
  package enum Person: Hashable, Sendable {
    case user(String)
    case device(String)

    /// The text by which rows name the person; a user and a device of one id differ.
    package var text: String {
      switch self {
      case .user(let id): "u\(id)"
      case .device(let id): "d\(id)"
      }
    }

    /// Reads what ``text`` has written; `nil` for another text.
    package init?(text: String) {
      let id = String(text.dropFirst())
      switch text.first {
      case "u": self = .user(id)
      case "d": self = .device(id)
      default: return nil
      }
    }

    package var id: String {
      switch self {
      case .user(let id), .device(let id): id
      }
    }
  }

  /// Why an enrollment is over.
  package enum Outcome: String, CaseIterable, Sendable {
    /// The last step was sent.
    case done
    /// An event of `exit_on` happened.
    case exited
    /// The campaign ended.
    case campaignEnded = "campaign_ended"
    case control
    case heldOut = "held_out"
    case notInAudience = "not_in_audience"
    /// No device of the person could get it.
    case unreachable
    /// No server ran when the step was due, or the campaign was paused.
    case missed

    /// Whether the person left the campaign, rather than being left out by it.
    package var isExit: Bool { self == .exited || self == .campaignEnded }
  }

  package var person: Person
  /// How often the person has entered, this time included.
  package var round = 1
  /// The step that comes next, from 1; 0 checks the audience.
  package var step: Int
  /// When the next step is due; `nil` once the enrollment is over.
  package var dueAt: Timestamp?
  package var enteredAt: Timestamp
  /// When the enrollment ended.
  package var endedAt: Timestamp?
  package var outcome: Outcome?
  /// When the last message was handed to delivery, or would have been to someone of the control.
  package var sentAt: Timestamp?
  /// What the event that enrolled the person said.
  package var data: JSONValue?

  package init(person: Person, step: Int, dueAt: Timestamp, enteredAt: Timestamp) {
    self.person = person
    self.step = step
    self.dueAt = dueAt
    self.enteredAt = enteredAt
  }

  /// The most bytes of ``data``.
  package static let dataLimit = 2048
  /// How late a step may be: what was due longer ago is left out, so that nothing is sent in a burst
  /// after an outage or a pause.
  package static let lateness = Duration.seconds(12 * 3600)
  /// The times at which steps are due are multiples of this, so that those of many people are sent
  /// together.
  package static let rhythm: Int64 = 5000

  /// The time at which a step is due that is to wait until a moment.
  package static func due(from moment: Timestamp) -> Timestamp {
    Timestamp(milliseconds: (moment.milliseconds + rhythm - 1) / rhythm * rhythm)
  }
}

/// The state machine of an enrollment.
extension Enrollment {
  /// What happens to an enrollment.
  package enum Event: Hashable, Sendable {
    /// Its person was in the audience at entry; the first step is due at a time.
    case checked(dueAt: Timestamp)
    /// The message of its step was handed to delivery; the next step is due at a time, `nil` after
    /// the last one.
    case sent(next: Timestamp?)
    case ended(Outcome)
  }

  package var isWaiting: Bool { outcome == nil }

  /// Handles an event.
  ///
  /// - Returns: `false` where the state forbids the event.
  @discardableResult
  package mutating func on(_ event: Event, at now: Timestamp) -> Bool {
    guard isWaiting else { return false }
    switch event {
    case .checked(let time):
      guard step == 0 else { return false }
      (step, dueAt) = (1, time)
    case .sent(let next):
      guard step > 0 else { return false }
      sentAt = now
      if let next {
        (step, dueAt) = (step + 1, next)
      } else {
        (outcome, dueAt, endedAt) = (.done, nil, now)
      }
    case .ended(let reason):
      (outcome, dueAt, endedAt) = (reason, nil, now)
      // The control is compared with those who got a message, so it enters again when they do.
      if reason == .control || reason == .heldOut { sentAt = now }
    }
    return true
  }

  /// Whether the person may enter again after this enrollment.
  ///
  /// Whoever got nothing may do so at once.
  package func allowsNext(after pause: Duration?, at now: Timestamp) -> Bool {
    guard !isWaiting else { return false }
    guard let sentAt else { return true }
    return pause.map { sentAt + $0 <= now } ?? false
  }
}

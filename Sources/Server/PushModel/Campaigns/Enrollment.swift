package import PushPayload

/// A person's passage through a triggered campaign, from entering to the last step.
package struct Enrollment: Hashable, Sendable {
  /// The person of an enrollment: a user, or a device without a user.
  package enum Person: Hashable, Sendable {
    case user(String)
    case device(String)

    /// The text that names the person in rows; a user and a device with the same id have different texts.
    package var text: String {
      switch self {
      case .user(let id): "u\(id)"
      case .device(let id): "d\(id)"
      }
    }

    /// Parses ``text``; `nil` if it is malformed.
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

  /// The reason for which an enrollment ended.
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
    /// No device of the person could get the message.
    case unreachable
    /// The step came too late, because no server was running or the campaign was paused.
    case missed

    /// Whether the person was in the campaign and left it early.
    package var isExit: Bool { self == .exited || self == .campaignEnded }
  }

  package var person: Person
  /// The number of times that the person has entered, including this one.
  package var round = 1
  /// The next step, from 1; step 0 checks the audience.
  package var step: Int
  /// The time at which the next step is due; `nil` if the enrollment has ended.
  package var dueAt: Timestamp?
  package var enteredAt: Timestamp
  /// The time at which the enrollment ended; `nil` if it has not ended.
  package var endedAt: Timestamp?
  package var outcome: Outcome?
  /// The time at which the last message was handed to delivery or, for the control, would have been.
  package var sentAt: Timestamp?
  /// The data of the event that enrolled the person.
  package var data: JSONValue?

  package init(person: Person, step: Int, dueAt: Timestamp, enteredAt: Timestamp) {
    self.person = person
    self.step = step
    self.dueAt = dueAt
    self.enteredAt = enteredAt
  }

  /// The most bytes of ``data``.
  package static let dataLimit = 2048
  /// The most time by which a step may be late; later steps are left out to avoid a burst after an outage or a pause.
  package static let lateness = Duration.seconds(12 * 3600)
  /// The times at which steps are due are multiples of this number of milliseconds, so that the steps of many people
  /// are sent together.
  package static let rhythm: Int64 = 5000

  /// The time at which a step is due if it waits until a moment.
  package static func due(from moment: Timestamp) -> Timestamp {
    Timestamp(milliseconds: (moment.milliseconds + rhythm - 1) / rhythm * rhythm)
  }
}

/// The state machine of an enrollment.
extension Enrollment {
  /// An event that the state machine of an enrollment handles.
  package enum Event: Hashable, Sendable {
    /// The person was in the audience at entry. The first step is due at a time.
    case checked(dueAt: Timestamp)
    /// The message of a step was handed to delivery. `next` is when the next step is due; it is `nil` if this was the
    /// last step.
    case sent(next: Timestamp?)
    case ended(Outcome)
  }

  package var isWaiting: Bool { outcome == nil }

  /// Handles an event.
  ///
  /// - Returns: `false` if the state forbids the event.
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
      // The control is compared with people who got a message, so its people may enter again when
      // those may.
      if reason == .control || reason == .heldOut { sentAt = now }
    }
    return true
  }

  /// Whether the person may enter again after this enrollment.
  ///
  /// A person who got no message may enter again at once.
  package func allowsNext(after pause: Duration?, at now: Timestamp) -> Bool {
    guard !isWaiting else { return false }
    guard let sentAt else { return true }
    return pause.map { sentAt + $0 <= now } ?? false
  }
}

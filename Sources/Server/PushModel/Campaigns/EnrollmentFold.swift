package import PushPayload

/// The changes that events make to the enrollments of an app's triggered campaigns, in the order of the events.
package struct EnrollmentFold {
  package struct Key: Hashable, Comparable {
    package var trigger: Int64
    package var person: Enrollment.Person

    package init(trigger: Int64, person: Enrollment.Person) {
      (self.trigger, self.person) = (trigger, person)
    }

    package static func < (left: Key, right: Key) -> Bool {
      (left.trigger, left.person.text) < (right.trigger, right.person.text)
    }
  }

  /// The events of one person that count.
  package struct Occasion {
    package var events: [DeviceEvent]
    package var person: Enrollment.Person
    /// Other names under which the person may have entered: those of its devices before they had a user.
    package var others: [Enrollment.Person]
    package var at: Timestamp

    package init(
      events: [DeviceEvent] = [], person: Enrollment.Person, others: [Enrollment.Person],
      at: Timestamp
    ) {
      (self.events, self.person, self.others, self.at) = (events, person, others, at)
    }

    /// The person and its other names.
    package var people: [Enrollment.Person] { [person] + others }
  }

  private let triggers: TriggerIndex.Triggers
  /// The last enrollment of each person in each trigger.
  private var last: [Key: Enrollment]
  package private(set) var added: [Key: [Enrollment]] = [:]
  package private(set) var exited: [Key: Enrollment] = [:]

  /// `last` are the last enrollments with the keys of ``keys(of:_:)``.
  package init(_ triggers: TriggerIndex.Triggers, last: [Key: Enrollment]) {
    self.triggers = triggers
    self.last = last
  }

  /// The keys of the enrollments that some events may change.
  package static func keys(
    of occasions: [Occasion], _ triggers: TriggerIndex.Triggers
  ) -> Set<Key> {
    var keys: Set<Key> = []
    for occasion in occasions {
      for event in occasion.events {
        for entry in triggers.entries(for: event) where entry.concerns(event, at: occasion.at) {
          for person in occasion.people {
            keys.insert(Key(trigger: entry.number, person: person))
          }
        }
      }
    }
    return keys
  }

  package mutating func add(_ occasion: Occasion) {
    for event in occasion.events {
      for entry in triggers.entries(for: event) {
        if entry.trigger.exits(with: event) { exit(occasion, entry) }
        if entry.enrolls(with: event, at: occasion.at) {
          enroll(occasion, saying: event.data, in: entry)
        }
      }
    }
  }

  private mutating func exit(_ occasion: Occasion, _ entry: TriggerIndex.Entry) {
    for person in occasion.people {
      let key = Key(trigger: entry.number, person: person)
      guard var enrollment = last[key], enrollment.on(.ended(.exited), at: occasion.at) else {
        continue
      }
      last[key] = enrollment
      if let place = added[key]?.indices.last {
        added[key]?[place] = enrollment
      } else {
        exited[key] = enrollment
      }
    }
  }

  /// Enrolls a person in a trigger, if the person's last enrollment allows it.
  package mutating func enroll(
    _ occasion: Occasion, saying data: JSONValue?, in entry: TriggerIndex.Entry
  ) {
    let key = Key(trigger: entry.number, person: occasion.person)
    let allowed = occasion.people.allSatisfy { person in
      last[Key(trigger: entry.number, person: person)]?
        .allowsNext(after: entry.trigger.againAfter, at: occasion.at) ?? true
    }
    guard allowed else { return }
    var enrollment = entry.trigger.enrollment(of: occasion.person, at: occasion.at)
    enrollment.round = (last[key]?.round ?? 0) + 1
    enrollment.data = data
    last[key] = enrollment
    added[key, default: []].append(enrollment)
  }
}

extension CampaignTrigger {
  /// The enrollment of a person who enters now.
  package func enrollment(of person: Enrollment.Person, at now: Timestamp) -> Enrollment {
    Enrollment(
      person: person, step: firstStep,
      dueAt: Enrollment.due(from: firstStep == 0 ? now : now + firstWait), enteredAt: now)
  }
}

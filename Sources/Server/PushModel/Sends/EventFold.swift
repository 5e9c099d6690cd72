/// The events of one request, on a device or of a user.
package struct EventRequest: Sendable {
  package enum Subject: Sendable {
    case device(String)
    case user(String)

    package var id: String {
      switch self {
      case .device(let id), .user(let id): id
      }
    }
  }

  package var events: [DeviceEvent]
  package var subject: Subject
  package var at: Timestamp
  package var record: ChangeRecord?

  package init(
    events: [DeviceEvent], of subject: Subject, at: Timestamp, record: ChangeRecord? = nil
  ) {
    (self.events, self.subject, self.at, self.record) = (events, subject, at, record)
  }
}

/// The id of an event on a device; the device counts the event once.
package struct EventID: Hashable {
  package var device: UInt32
  package var id: String

  package init(device: UInt32, id: String) {
    (self.device, self.id) = (device, id)
  }
}

/// The devices that have events in some requests.
package struct EventSubjects {
  package var devices: [UInt32: Device]
  private let numbers: [String: UInt32]
  private let users: [String: [UInt32]]

  package init(_ devices: [Device]) {
    self.devices = Dictionary(devices.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
    numbers = Dictionary(devices.map { ($0.id, $0.number) }, uniquingKeysWith: { $1 })
    users = Dictionary(grouping: self.devices.values.filter { $0.userID != nil }) {
      $0.userID ?? ""
    }
    .mapValues { $0.map(\.number).sorted() }
  }

  /// The numbers of a subject's devices, in order.
  package func numbers(of subject: EventRequest.Subject) -> [UInt32] {
    switch subject {
    case .device(let id): numbers[id].map { [$0] } ?? []
    case .user(let id): users[id] ?? []
    }
  }

  /// The ids of events, each with the time of the first request that has it.
  package func ids(of requests: [EventRequest]) -> [EventID: Timestamp] {
    var times: [EventID: Timestamp] = [:]
    for request in requests {
      for device in numbers(of: request.subject) where devices[device]?.erasedAt == nil {
        for id in request.events.lazy.compactMap(\.id) {
          let id = EventID(device: device, id: id)
          times[id] = times[id] ?? request.at
        }
      }
    }
    return times
  }
}

/// The changes that events make, in the order of the events.
package struct EventFold {
  package private(set) var subjects: EventSubjects
  /// The ids that the devices had not counted before and that no event has used yet.
  private var newIDs: Set<EventID>
  private let attributions: [UInt32: Attribution]
  /// The numbers of the sends that events name.
  private let sends: [String: Int64]
  package private(set) var changed: Set<UInt32> = []
  package private(set) var tallies: [ReportFold.NamedCount: Int64] = [:]

  package init(
    _ subjects: EventSubjects, newIDs: Set<EventID>, attributions: [UInt32: Attribution],
    sends: [String: Int64]
  ) {
    self.subjects = subjects
    self.newIDs = newIDs
    self.attributions = attributions
    self.sends = sends
  }

  /// Adds the events of a request.
  ///
  /// - Returns: The numbers of its devices, and the indices of the events that one of them had not counted; `nil` if
  ///   its device was erased.
  package mutating func add(_ request: EventRequest) -> (devices: [UInt32], counted: Set<Int>)? {
    let found = subjects.numbers(of: request.subject)
    if case .device = request.subject, let device = found.first,
      subjects.devices[device]?.erasedAt != nil
    {
      return nil
    }
    // A device that the user got after an earlier request may count events that the others have
    // counted already.
    var converted = Set(request.events.indices)
    var counted: Set<Int> = []
    for device in found {
      let new = request.events.indices.filter { index in
        guard let id = request.events[index].id else { return true }
        return newIDs.remove(EventID(device: device, id: id)) != nil
      }
      converted.formIntersection(new)
      guard !new.isEmpty else { continue }
      subjects.devices[device]?.count(new.map { request.events[$0] }, at: request.at)
      changed.insert(device)
      counted.formUnion(new)
    }
    guard !found.isEmpty, !converted.isEmpty else { return (found, counted) }
    // A user's event is one conversion, however many devices the user has.
    let credited = creditedSend(of: found, at: request.at)
    for index in converted.sorted() {
      let event = request.events[index]
      guard let send = event.send.map({ sends[$0] }) ?? credited ?? nil else { continue }
      tally(.conversion, named: event.name, of: send)
      for item in event.items {
        tally(.purchase, named: item.name, by: item.quantity, of: send)
        tally(.revenue, named: item.name, by: item.quantity * item.price, of: send)
      }
    }
    return (found, counted)
  }

  /// The send that last opened the app on one of the devices, and gets the credit for an event; `nil` if no such
  /// opening is within the window.
  private func creditedSend(of devices: [UInt32], at time: Timestamp) -> Int64? {
    var last: (send: Int64, openedAt: Timestamp)?
    for device in devices {
      guard let attribution = attributions[device], let send = attribution.creditedSend(at: time),
        let openedAt = attribution.openedAt
      else { continue }
      if last.map({ openedAt > $0.openedAt }) ?? true { last = (send, openedAt) }
    }
    return last?.send
  }

  private mutating func tally(
    _ kind: Tally, named name: String, by amount: Int64 = 1, of send: Int64
  ) {
    tallies[ReportFold.NamedCount(send: send, kind: kind, name: name), default: 0] += amount
  }
}

import PushModel
import PushPayload

extension World {
  /// Sends a notification, as often as it takes to be answered.
  func send(_ new: SimulationEvent.NewSend) async {
    var record = SendRecord(new, begun: scheduler.now)
    var members: [String: JSONValue] = [
      "to": new.group.map { [["name": "tags", "criteria": [.string("g\($0)")]]] } ?? "*",
      "payload": ["alert": .string(record.text)],
      "class": new.isCampaign ? "campaign" : "transactional",
      "limits": [
        "caps": new.obeysCaps ? "obey" : "ignore", "quiet": new.obeysQuiet ? "obey" : "ignore",
      ],
    ]
    if let seconds = new.due {
      let due = beginning + .seconds(seconds) + nodeTime.since(scheduler.now)
      record.dueAt = due
      members["scheduled_at"] = .string(due.iso8601)
    }
    if let throttle = new.throttle { members["throttle_per_second"] = .integer(Int64(throttle)) }
    records.add(record, as: new.number)
    let answer = await insist(
      "POST", "/v6/notifications", ["notification": .object(members)],
      idempotencyKey: "key-\(record.name)")
    let id = answer.json["notification"]?["id"]?.string
    note("\(record.name) is sent as \(id?.suffix(6) ?? "nothing"): \(answer.status)")
    guard answer.status == 201, let id else {
      // The time may have passed while no node ran, or by a clock that was set forward.
      let isLate = record.dueAt.map { time(ofLife: nil).since($0) > .seconds(59) } ?? false
      if !isLate { findings.add(.answered, "\(record.name) is refused: \(answer.json)") }
      return
    }
    records.change(send: new.number) { send in
      send.id = id
      send.accepted = scheduler.now
    }
  }

  enum Order: String { case pause, resume, cancel }

  /// Gives an order to a send that was accepted.
  func order(_ order: Order, send number: Int) async {
    guard let send = records.send(number), let id = send.id else { return }
    if order == .resume {
      records.change(send: number) { $0.orders.resumed(at: scheduler.now) }
    }
    let path = "/v6/notifications/\(id)"
    let answer =
      order == .cancel
      ? await insist("DELETE", path) : await insist("POST", "\(path)/\(order.rawValue)")
    let state = answer.json["state"]?.string ?? ""
    note("\(send.name) \(order.rawValue): \(answer.status) \(state)")
    if answer.status == 404 { findings.add(.answered, "\(send.name) is not found") }
    guard answer.status == 200 else { return }
    records.change(send: number) { send in
      switch order {
      case .pause where state == "paused" || state == "pausing":
        send.orders.paused(at: scheduler.now)
      case .cancel: send.orders.canceled(at: scheduler.now)
      default: break
      }
    }
  }
}

extension SimulationPlan {
  /// Whether the node's clock is set forward or back.
  var hasClocks: Bool {
    events.contains { if case .clock = $0.kind { true } else { false } }
  }
}

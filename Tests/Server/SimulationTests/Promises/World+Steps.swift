import PushModel

extension World {
  /// Checks that people get each message of a triggered campaign once, in time, and not after they have left it.
  func checkSteps(
    of campaign: CampaignRecord, _ trigger: SimulationEvent.Trigger, _ answer: FinalAnswers.Campaign
  ) {
    let events = Dictionary(grouping: records.appEvents(), by: \.person)
    var times: [String: [Int: [Timestamp]]] = [:]
    for run in answer.runs {
      for send in run.sends {
        for person in Set(devices(of: send).map(person)) {
          times[person, default: [:]][run.number, default: []].append(send.createdAt)
        }
      }
    }
    for (person, steps) in times.sorted(by: { $0.key < $1.key }) {
      let own = PersonEvents(events[person] ?? [], since: campaign.begun)
      for (step, times) in steps.sorted(by: { $0.key < $1.key }) {
        let name = "\(campaign.name) \(step) for \(person)"
        let times = times.sorted()
        if times.count > (trigger.againAfter == nil ? 1 : own.carts.count) {
          findings.add(
            .steps, "\(name) was sent \(times.count) times, after \(own.carts.count) events")
        }
        if let minutes = trigger.againAfter {
          for (one, next) in zip(times, times.dropFirst())
          where next.since(one) < .seconds(60 * minutes) {
            findings.add(.steps, "\(name) was sent again after \(next.since(one))")
          }
        }
        let wait = Duration.seconds(60 * trigger.waits.prefix(step).reduce(0, +))
        for time in times {
          if !own.carts.contains(where: { $0.begun + wait <= time }) {
            findings.add(.steps, "\(name) was sent before its time")
          }
          if trigger.hasExit, own.hasLeft(at: time) {
            findings.add(.steps, "\(name) was sent after the exit")
          }
          if let ended = campaign.orders.canceled, time > ended {
            findings.add(.canceled, "\(name) was sent after the end of the campaign")
          }
        }
      }
    }
    checkEveryone(in: campaign, trigger, events, answer)
  }

  /// Checks that all got all messages who entered, and whom nothing keeps from it.
  private func checkEveryone(
    in campaign: CampaignRecord, _ trigger: SimulationEvent.Trigger,
    _ events: [String: [AppEventRecord]], _ answer: FinalAnswers.Campaign
  ) {
    let new = campaign.new
    guard let started = campaign.started, campaign.orders.canceled == nil,
      campaign.orders.pauses.isEmpty, new.control == 0,
      plan.options.holdout == nil || !new.obeysHoldout, plan.options.cap == nil || !new.obeysCaps,
      plan.options.quiet == nil
    else { return }
    for (number, phone) in records.allPhones().enumerated() {
      let own = PersonEvents(events[plan.options.person(of: number)] ?? [], since: started)
      guard let entry = own.carts.first(where: { $0.begun > started && $0.answered != nil }),
        !trigger.hasExit || own.exits.isEmpty
      else { continue }
      let stays = phone.possible(from: entry.begun, to: scheduler.now).allSatisfy { state in
        isReachable(state) && (new.group == nil || new.group == state?.group)
      }
      guard stays else { continue }
      for step in 1...trigger.waits.count {
        let sends = answer.runs.filter { $0.number == step }.flatMap(\.sends)
        let isSent = sends.contains { send in
          send.answer.outcomes.contains { $0.device == "d\(number)" && $0.result == "sent" }
        }
        if !isSent { findings.add(.steps, "\(campaign.name) \(step) was not sent to d\(number)") }
      }
    }
  }
}

/// What has happened on the phones of a person since a time.
private struct PersonEvents {
  var carts: [AppEventRecord]
  var exits: [AppEventRecord]

  init(_ events: [AppEventRecord], since start: Timestamp) {
    // A request that was begun before the start may be stored after it.
    let later = events.filter { $0.answered.map { $0 >= start } ?? true }
    carts = later.filter { $0.event == .cart }
    exits = later.filter { $0.event == .bought }
  }

  /// Whether the person had left by a time, and not entered again.
  func hasLeft(at time: Timestamp) -> Bool {
    exits.contains { exit in
      (exit.answered.map { $0 <= time } ?? false)
        && carts.allSatisfy { $0.answered.map { $0 <= exit.begun } ?? false }
    }
  }
}

import PushModel
import PushPayload

@testable import PushServer

extension World {
  /// Writes a campaign and starts it, as often as it takes to be answered.
  func start(_ new: SimulationEvent.NewCampaign) async {
    var record = CampaignRecord(new: new, begun: scheduler.now)
    record.dueAt = new.due.map { beginning + .seconds($0) }
    records.add(record)
    // The time may have passed while no node ran.
    func isLate() -> Bool { record.dueAt.map { nodeTime.since($0) > .zero } ?? false }
    let made = await insist(
      "POST", "/v6/campaigns", ["campaign": new.document(due: record.dueAt)],
      idempotencyKey: "key-\(new.name)")
    guard made.status == 201, let id = made.json["campaign"]?["id"]?.string else {
      if !isLate() { findings.add(.answered, "\(new.name) is refused: \(made.json)") }
      return
    }
    var answer = await insist("POST", "/v6/campaigns/\(id)/start")
    // A campaign that has started with an answer that was lost may have ended meanwhile.
    if answer.status == 409 { answer = await insist("GET", "/v6/campaigns/\(id)") }
    let state = answer.json["campaign"]?["state"]?.string ?? "draft"
    note("\(new.name) is started as \(id.suffix(6)): \(answer.status) \(state)")
    guard answer.status == 200, state != "draft" else {
      if !isLate() { findings.add(.answered, "\(new.name) does not start: \(answer.json)") }
      return
    }
    records.change(campaign: new.number) { campaign in
      (campaign.id, campaign.started) = (id, scheduler.now)
    }
  }

  /// Gives an order to a campaign that was started.
  func order(_ order: SimulationEvent.CampaignOrder, campaign number: Int) async {
    guard let campaign = records.campaign(number), let id = campaign.id else { return }
    if order == .resume {
      records.change(campaign: number) { $0.orders.resumed(at: scheduler.now) }
    }
    let answer = await insist("POST", "/v6/campaigns/\(id)/\(order.rawValue)")
    let state = answer.json["campaign"]?["state"]?.string ?? ""
    note("\(campaign.name) \(order.rawValue): \(answer.status) \(state)")
    if answer.status == 404 { findings.add(.answered, "\(campaign.name) is not found") }
    guard answer.status == 200 else { return }
    records.change(campaign: number) { campaign in
      switch order {
      case .pause where state == "paused": campaign.orders.paused(at: scheduler.now)
      case .end: campaign.orders.canceled(at: scheduler.now)
      default: break
      }
    }
  }

  /// Lets something happen in the app on a phone that has it.
  func happen(_ event: SimulationEvent.AppEvent, on phone: Int) async {
    let known = records.phone(phone)
    guard known.current != nil, !known.isRemoved else { return }
    let person = plan.options.person(of: phone)
    let place = records.add(AppEventRecord(event: event, person: person, begun: scheduler.now))
    let answer = await insist(
      "POST", "/v6/devices/d\(phone)/events",
      ["events": [["id": .string("e\(place)"), "name": .string(event.rawValue)]]])
    note("d\(phone) \(event.rawValue): \(answer.status)")
    guard answer.status == 202 else {
      findings.add(.answered, "an event of d\(phone) is refused: \(answer.json)")
      return
    }
    records.answer(event: place, at: scheduler.now)
  }

  // MARK: The end

  /// Whether a campaign still has to send something. Decides its test if it waits for a person.
  func isOpen(_ campaign: CampaignRecord) async -> Bool {
    guard let id = campaign.id else { return false }
    guard campaign.new.trigger == nil else {
      let report = await insist("GET", "/v6/campaigns/\(id)/report").json["report"]
      if report?["waiting"]?.integer != 0 { return true }
      return await !hasSentAll(of: id)
    }
    let runs = await insist("GET", "/v6/campaigns/\(id)/runs").json["runs"]?.array ?? []
    for run in runs where ["testing", "deciding"].contains(run["state"]?.string) {
      let waits = run["state"]?.string == "testing" && campaign.new.test?.decideAfter != nil
      guard let run = run["id"]?.string, !waits else { continue }
      let choice = campaign.new.test?.choice.map { campaign.new.keys[$0] }
      let answer = await insist("POST", "/v6/runs/\(run)/decide", ["variant": .optional(choice)])
      note("\(campaign.name) is decided: \(answer.status)")
    }
    let state = await insist("GET", "/v6/campaigns/\(id)").json["campaign"]?["state"]?.string
    return state == "live" || state == "paused"
  }

  /// Whether all notifications of a campaign's runs are over.
  private func hasSentAll(of campaign: String) async -> Bool {
    guard let node else { return false }
    do {
      for run in try await node.store.runs(ofCampaign: campaign, app: app, limit: 20) {
        let sends = try await node.store.sends(ofRun: run.id, app: app)
        if !sends.allSatisfy(\.state.isOver) { return false }
      }
      return true
    } catch {
      return false
    }
  }

  /// What the server says of a campaign.
  func answers(of campaign: CampaignRecord) async -> FinalAnswers.Campaign {
    var answers = FinalAnswers.Campaign()
    guard let id = campaign.id, let node else { return answers }
    answers.state =
      await insist("GET", "/v6/campaigns/\(id)").json["campaign"]?["state"]?.string ?? "not found"
    do {
      for run in try await node.store.runs(ofCampaign: id, app: app, limit: 20) {
        answers.runs.append(try await self.answers(of: run, of: campaign, node))
      }
    } catch {
      findings.add(.answered, "\(campaign.name) cannot be read: \(error)")
    }
    return answers
  }

  private func answers(
    of run: CampaignRun, of campaign: CampaignRecord, _ node: SimulationNode
  ) async throws -> FinalAnswers.Run {
    var answers = FinalAnswers.Run(run)
    for group in CampaignRun.Group.allCases {
      let numbers = try await node.store.devices(group, ofRun: run.id, app: app)
      answers.groups[group] = Set(
        try await node.store.devices(app: app, numbers: numbers).map(\.id))
    }
    for send in try await node.store.sends(ofRun: run.id, app: app) {
      guard let origin = send.origin else { continue }
      var answer = FinalAnswers.Send(await insist("GET", "/v6/notifications/\(send.id)"))
      answer.outcomes = await outcomes(of: send.id)
      answer.hours = await hours(of: send.id)
      // People of a triggered campaign are chosen when their message is due, and others when the run begins.
      let chosen = campaign.new.trigger == nil ? run.startedAt ?? send.createdAt : send.createdAt
      var record = SendRecord(
        "\(campaign.name) \(run.number) \(origin.variant) \(send.id.suffix(4))", id: send.id,
        of: campaign, variant: origin.variant, obeysQuiet: plan.options.quiet != nil,
        begun: chosen, accepted: chosen + Self.longestStep)
      record.plannedAt = send.createdAt
      if let trigger = campaign.new.trigger, !trigger.checksAtSend { record.group = nil }
      answers.sends.append(
        FinalAnswers.RunSend(
          record: record, answer: answer, variant: origin.variant, phase: origin.phase,
          createdAt: send.createdAt))
    }
    return answers
  }

  /// The time that a node may take for a step of a campaign.
  static let longestStep = Duration.seconds(5)
}

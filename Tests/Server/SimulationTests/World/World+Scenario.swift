import PushModel
import PushPayload
import _OpenSSLCrypto

@testable import PushServer

extension World {
  /// The minutes within which every send must end, once nothing fails any more.
  private static let patience = 24 * 60

  /// Does what the plan says, ends all troubles, and waits for the end of all sends.
  ///
  /// - Returns: What the server says at the end; `nil` if the world was lost.
  func play() async -> FinalAnswers? {
    await begin()
    let start = scheduler.now
    for event in plan.events {
      scheduler.after(.milliseconds(event.time)) { [self] in occur(event.kind) }
    }
    let last = plan.events.map(\.time).max() ?? 0
    try? await scheduler.sleep(.milliseconds(last + 1) - scheduler.now.since(start))
    await chain.end()
    heal()
    while node == nil {
      if isLost { return nil }
      try? await scheduler.sleep(.seconds(1))
    }
    for (number, send) in records.allSends() where send.orders.isPaused {
      await order(.resume, send: number)
    }
    for (number, campaign) in records.startedCampaigns() where campaign.orders.isPaused {
      await order(.resume, campaign: number)
    }
    return await finalAnswers(after: Self.patience)
  }

  /// Makes the app with its keys and limits.
  private func begin() async {
    guard let node,
      let created = try? NewApp(
        bundleID: SimulatedAPNs.bundleID, teamID: "TEAM123456", keyID: "KEY1234567",
        privateKey: OpenSSLCrypto.makeP256KeyPEM()
      ).make(at: nodeTime, sealedWith: key)
    else { return }
    do {
      try await node.store.add(created.app, keys: created.records)
    } catch {
      findings.add(.answered, "the app is refused: \(error)")
    }
    await addWebhook(to: created.app.id, of: node)
    setApp(
      created.app.id,
      keys: Dictionary(created.keys.map { ($0.role, $0.key) }, uniquingKeysWith: { $1 }))
    var limits: [String: JSONValue] = [:]
    if let cap = plan.options.cap {
      limits["caps"] = [["most": .integer(Int64(cap)), "within": "P1D"]]
    }
    if let quiet = plan.options.quietMinutes {
      limits["quiet"] = [
        "from": .string(QuietHours.clock(quiet.from)), "to": .string(QuietHours.clock(quiet.to)),
        "else": plan.options.quietWaits ? "wait" : "drop",
      ]
    }
    if let percent = plan.options.holdout {
      limits["holdout"] = ["percent": .integer(Int64(percent))]
    }
    guard !limits.isEmpty else { return }
    let answer = await insist("PUT", "/v6/limits", ["limits": .object(limits)], role: .admin)
    if answer.status != 200 { findings.add(.answered, "the limits are refused: \(answer.json)") }
  }

  private func occur(_ event: SimulationEvent.Kind) {
    switch event {
    case .phone(let phone, let change):
      chain.run("phone \(phone)") { [self] in await self.change(phone: phone, change) }
    case .send(let new): chain.run("send \(new.number)") { [self] in await send(new) }
    case .pause(let send): chain.run("send \(send)") { [self] in await order(.pause, send: send) }
    case .resume(let send): chain.run("send \(send)") { [self] in await order(.resume, send: send) }
    case .cancel(let send): chain.run("send \(send)") { [self] in await order(.cancel, send: send) }
    case .campaign(let new):
      chain.run("campaign \(new.number)") { [self] in await start(new) }
    case .campaignOrder(let order, let campaign):
      chain.run("campaign \(campaign)") { [self] in await self.order(order, campaign: campaign) }
    case .happen(let event, let phone):
      chain.run("phone \(phone)") { [self] in await happen(event, on: phone) }
    case .death(let death): die(death)
    case .outage(let seconds):
      network.setOut(true)
      note("apns is out of reach for \(seconds) s")
      scheduler.after(.seconds(seconds)) { [self] in network.setOut(false) }
    case .clock(let seconds): setClock(by: .seconds(seconds))
    }
  }

  /// Reads every send until it is over, then what became of each device.
  private func finalAnswers(after minutes: Int) async -> FinalAnswers {
    var answers = FinalAnswers()
    let all = records.allSends().compactMap { number, send in send.id.map { (number, $0) } }
    var open = all
    var openCampaigns = records.startedCampaigns().map(\.campaign)
    for _ in 0..<minutes where !open.isEmpty || !openCampaigns.isEmpty {
      try? await scheduler.sleep(.seconds(60))
      var left: [(Int, String)] = []
      for (number, id) in open where await !state(of: id).isOver { left.append((number, id)) }
      open = left
      var leftCampaigns: [CampaignRecord] = []
      for campaign in openCampaigns where await isOpen(campaign) { leftCampaigns.append(campaign) }
      openCampaigns = leftCampaigns
    }
    for _ in 0..<minutes {
      guard await waitingCalls() > 0 else { break }
      try? await scheduler.sleep(.seconds(60))
    }
    // What was under way when a send was canceled has ended by now, and each phone has told of its pushes.
    try? await scheduler.sleep(.seconds(60))
    await chain.end()
    for (number, id) in all {
      answers.sends[number] = FinalAnswers.Send(await insist("GET", "/v6/notifications/\(id)"))
    }
    for (number, send) in answers.sends.sorted(by: { $0.key < $1.key }) where send.isFound {
      answers.sends[number]?.outcomes = await outcomes(of: send.id)
      answers.sends[number]?.hours = await hours(of: send.id)
    }
    for (number, campaign) in records.startedCampaigns() {
      answers.campaigns[number] = await self.answers(of: campaign)
    }
    for phone in records.allPhones().indices {
      let answer = await insist("GET", "/v6/devices/d\(phone)")
      answers.phones[phone] = answer.status == 200 ? answer.json["devices"] : nil
    }
    answers.audit = await auditLines()
    answers.statistics = await statistics()
    for line in answers.lines { note(line) }
    return answers
  }
}

extension World {
  /// The state of a send; one that is not found is over.
  private func state(of id: String) async -> SendLifecycle.State {
    let answer = await insist("GET", "/v6/notifications/\(id)")
    return SendLifecycle.State(rawValue: answer.json["state"]?.string ?? "") ?? .failed
  }

  /// The outcomes of a send, of all pages.
  func outcomes(of id: String) async -> [FinalAnswers.Outcome] {
    var (outcomes, cursor): ([FinalAnswers.Outcome], String?) = ([], nil)
    repeat {
      let query = cursor.map { [(name: "cursor", value: $0)] } ?? []
      let page = await insist("GET", "/v6/notifications/\(id)/outcomes", query: query)
      outcomes += (page.json["outcomes"]?.array ?? []).map { FinalAnswers.Outcome($0) }
      cursor = page.json["meta"]?["cursor"]?.string
    } while cursor != nil
    return outcomes
  }
}

extension SimulationOptions {
  /// The quiet hours in minutes of the day, by the clock of each phone.
  var quietMinutes: (from: Int, to: Int)? {
    // The worlds begin at 8:00 UTC.
    let beginning = 480 + SimulationPlan.zones[quietZone].minutes
    return quiet.map { (beginning + $0.lowerBound, beginning + $0.upperBound) }
  }
}

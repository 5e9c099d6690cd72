import PushModel
import PushPayload
import Testing

let campaignBehaviours = [
  StoreBehaviour("notifications are found by the beginnings of words, by label and by state") {
    store in
    let fixture = try await StoreFixture(store, "searched")
    try await fixture.accept("found-sale") { send in
      send.name = "Autumn Sale"
      send.labels = ["retail", "50% off"]
      send.payload = ["title": "Coats", "alert": ["default": "Warm", "fr": "Chaud"]]
    }
    try await fixture.accept("found-rain") { $0.payload = ["alert": "Rain, 雨 today"] }
    try await fixture.accept("found-code") { send in
      send.group = "login-codes"
      send.payload = ["alert": "Warm code"]
    }
    func found(_ query: SendQuery) async throws -> [String] {
      let list = try await store.sends(app: fixture.app, matching: query, after: nil, limit: 10)
      #expect(list.total == list.sends.count)
      return list.sends.map(\.id)
    }
    #expect(try await found(SendQuery("aut")) == ["found-sale"])
    #expect(try await found(SendQuery("SALE autumn")) == ["found-sale"])
    #expect(try await found(SendQuery("chau")) == ["found-sale"])
    #expect(try await found(SendQuery("ale")) == [])
    #expect(try await found(SendQuery("雨")) == ["found-rain"])
    // The text of a transactional send is for one person, and is not searched.
    #expect(try await found(SendQuery("warm")) == ["found-sale"])
    #expect(try await found(SendQuery(label: "50% off")) == ["found-sale"])
    #expect(try await found(SendQuery(label: "50")) == [])
    #expect(try await found(SendQuery(state: .complete)).count == 3)
    #expect(try await found(SendQuery("rain", state: .scheduled)) == [])
    #expect(try await fixture.send("found-sale").labels == ["retail", "50% off"])
    #expect(try await fixture.send("found-sale").name == "Autumn Sale")
    let page = try await store.sends(
      app: fixture.app, matching: SendQuery(state: .complete), after: "found-code", limit: 1)
    #expect(page.sends.map(\.id) == ["found-rain"] && page.total == 3)
  },
  StoreBehaviour("an audience has the parts that it was stored with") { store in
    let fixture = try await StoreFixture(store, "parts")
    var audience = Sample.audience("parts-1", app: fixture.app)
    audience.filters = [Filter(field: .builtIn(.tags), criteria: [.equals("a")])]
    audience.any = [.audience("other"), .filters(audience.filters)]
    audience.except = [
      .received(send: "s", opened: false), .received(send: "s", opened: nil), .audience("x"),
    ]
    try await store.save(audience)
    #expect(try await store.audience("parts-1", app: fixture.app) == audience)
    #expect(!audience.isEveryone)
  },
  StoreBehaviour("who received a send is known from its outcomes, who opened it from receipts") {
    store in
    let fixture = try await StoreFixture(store, "received")
    for id in ["r0", "r1", "r2"] { try await fixture.update(id) { $0.token = .set("aa\(id)") } }
    try await fixture.accept("rcv")
    let batch = try #require(try await fixture.lease())
    let results: [Outcome.Result] = [.sent, .rejected, .sent]
    try await fixture.finish(
      batch, zip(batch.targets, results).map { StoreFixture.outcome($0, $1) })
    func received(_ id: String, _ opened: Bool?) async throws -> [UInt32]? {
      try await store.received(id, app: fixture.app, opened: opened).map { Array($0) }
    }
    let numbers = batch.targets.map(\.number)
    #expect(try await received("rcv", nil) == [numbers[0], numbers[2]])
    #expect(try await received("message-rcv", false) == [numbers[0], numbers[2]])
    #expect(try await received("rcv", true) == [])
    #expect(try await received("nothing", nil) == nil)
  },
  StoreBehaviour(
    "which devices a send is for is known until it is removed, and a user's devices are"
  ) { store in
    let fixture = try await StoreFixture(store, "targeted")
    for id in ["t0", "t1"] {
      try await fixture.update(id) { patch in
        (patch.token, patch.userID) = (.set("bb\(id)"), .set("ada"))
      }
    }
    try await fixture.accept("trg")
    let later = try await fixture.update("t2") { $0.userID = .set("ada") }
    func isTargeted(_ number: UInt32) async throws -> Bool? {
      try await store.isTargeted(number, by: "trg", app: fixture.app)
    }
    let devices = try await store.devices(ofUser: "ada", app: fixture.app, limit: 9)
    #expect(devices.map(\.id) == ["t0", "t1", "t2"])
    #expect(
      try await store.devices(ofUser: "ada", app: fixture.app, limit: 2).map(\.id) == ["t0", "t1"])
    #expect(try await store.devices(ofUser: "t0", app: fixture.app, limit: 9).isEmpty)
    for device in devices { #expect(try await isTargeted(device.number) == (device.id != "t2")) }
    func waiting(_ number: UInt32) async throws -> WaitingPush? {
      try await store.waitingPush(to: number, of: "trg", app: fixture.app)
    }
    #expect(try await waiting(devices[0].number)?.dueAt == Sample.now)
    #expect(try await waiting(devices[2].number) == nil)
    #expect(try await store.isTargeted(later.number, by: "none", app: fixture.app) == nil)
    try await fixture.drain()
    #expect(try await isTargeted(devices[0].number) == true)
    var kept = Retention()
    kept.outcomes = .seconds(1)
    while try await store.removeOutdated(kept, at: Sample.now + .seconds(9), limit: 100) {}
    #expect(try await isTargeted(devices[0].number) == nil)
  },
  StoreBehaviour("a campaign is a draft until it starts, and each version of it stays") { store in
    let fixture = try await StoreFixture(store, "drafts")
    var campaign = fixture.campaign("c1")
    campaign.labels = ["sale"]
    try await store.save(campaign)
    await expect(.conflict) { try await store.save(campaign) }
    campaign.version = 2
    campaign.document = ["a": 2]
    try await store.save(campaign)
    #expect(try await store.campaign("c1", app: fixture.app) == campaign)
    #expect(try await store.document(ofCampaign: "c1", version: 1, app: fixture.app) == ["a": 1])
    #expect(try await store.document(ofCampaign: "c1", version: 2, app: fixture.app) == ["a": 2])
    let started = try await fixture.start("c1", version: 2)
    #expect(started?.state == .live)
    campaign.version = 3
    await expect(.conflict) { [campaign] in try await store.save(campaign) }
    await expect(.conflict) { try await fixture.happen(.discard, "c1") }
    #expect(try await fixture.happen(.start, "none") == nil)
    _ = try await fixture.happen(.end, "c1")
  },
  StoreBehaviour("campaigns are found by a part of their name, by label and by state") { store in
    let fixture = try await StoreFixture(store, "campaigns")
    for (number, name) in ["100% Wool", "100 Days", "Élan"].enumerated() {
      var campaign = fixture.campaign("f\(number)", at: Sample.now + .seconds(Int64(number)))
      (campaign.name, campaign.labels) = (name, ["l\(number)", "Every"])
      try await store.save(campaign)
    }
    func found(_ query: CampaignQuery) async throws -> [String] {
      try await store.campaigns(app: fixture.app, matching: query, after: nil, limit: 9)
        .elements.map(\.id)
    }
    #expect(try await found(CampaignQuery()) == ["f2", "f1", "f0"])
    #expect(try await found(CampaignQuery("100%")) == ["f0"])
    #expect(try await found(CampaignQuery("éLAN")) == ["f2"])
    #expect(try await found(CampaignQuery(label: "every")).count == 3)
    #expect(try await found(CampaignQuery(label: "ever")) == [])
    #expect(try await found(CampaignQuery("wool", label: "l0", state: .draft)) == ["f0"])
    #expect(try await found(CampaignQuery(state: .live)) == [])
    let page = try await store.campaigns(
      app: fixture.app, matching: CampaignQuery(), after: "f2", limit: 1)
    #expect(page.elements.map(\.id) == ["f1"] && page.cursor == "f1" && page.total == 3)
    await expect(.expiredCursor) {
      _ = try await store.campaigns(
        app: fixture.app, matching: CampaignQuery(), after: "none", limit: 1)
    }
  },
  StoreBehaviour("a run changes once from a state, with its sends and groups") { store in
    let fixture = try await StoreFixture(store, "runs")
    try await fixture.register(4)
    try await store.save(fixture.campaign("c"))
    try await fixture.start("c")
    let due = try await store.dueRuns(at: Sample.now, limit: 9)
    let run = try #require(due.first)
    #expect(due.count == 1 && run.id == "run-c" && run.state == .planned)
    #expect(try await store.dueRuns(at: Sample.now + .seconds(-1), limit: 9).isEmpty)
    let steps = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<4 {
        group.addTask { try await fixture.advance(run, sendID: "step-\(number)") != nil }
      }
      return try await group.reduce(into: [Bool]()) { $0.append($1) }
    }
    #expect(steps.count { $0 } == 1)
    let sends = try await store.sends(ofRun: "run-c", app: fixture.app)
    #expect(sends.count == 1 && sends.first?.origin?.variant == "a")
    #expect(sends.first?.counts.targeted == 2)
    #expect(try await store.run("run-c", app: fixture.app)?.state == .testing)
    let rest = try await store.devices(.rest, ofRun: "run-c", app: fixture.app)
    #expect(rest == DeviceNumbers([3, 4]))
    #expect(try await store.devices(.control, ofRun: "run-c", app: fixture.app).isEmpty)
    #expect(try await store.runs(ofCampaign: "c", app: fixture.app, limit: 9).count == 1)
    try await fixture.drain()
    let received = try await store.received("c", app: fixture.app, opened: nil)
    #expect(received == DeviceNumbers([1, 2]))
    #expect(try await store.received("run-c", app: fixture.app, opened: nil) == received)
    _ = try await fixture.happen(.end, "c")
  },
  StoreBehaviour("a paused campaign holds its sends and its run, and an ended one ends them") {
    store in
    let fixture = try await StoreFixture(store, "held")
    try await fixture.register(4)
    try await store.save(fixture.campaign("h"))
    try await fixture.start("h")
    let run = try #require(try await store.dueRuns(at: Sample.now, limit: 9).first)
    #expect(try await fixture.happen(.pause, "h")?.state == .paused)
    #expect(try await store.dueRuns(at: Sample.now, limit: 9).isEmpty)
    #expect(try await fixture.advance(run, sendID: "held-1") == nil)
    #expect(try await store.sends(ofRun: run.id, app: fixture.app).isEmpty)
    _ = try await fixture.happen(.resume, "h")
    #expect(try await fixture.advance(run, sendID: "held-2") != nil)
    _ = try await fixture.happen(.pause, "h")
    #expect(try await fixture.send("held-2").state == .paused)
    #expect(try await fixture.lease() == nil)
    _ = try await fixture.happen(.resume, "h")
    #expect(try await fixture.send("held-2").state == .scheduled)
    #expect(try await fixture.happen(.end, "h")?.state == .ended)
    #expect(try await fixture.send("held-2").state == .canceled)
    #expect(try await store.run(run.id, app: fixture.app)?.state == .canceled)
    #expect(try await store.dueRuns(at: Sample.now + .seconds(9999), limit: 9).isEmpty)
    await expect(.conflict) { try await fixture.happen(.resume, "h") }
  },
  StoreBehaviour("a test is decided later by the time that its campaign was paused") { store in
    let fixture = try await StoreFixture(store, "delayed")
    try await fixture.register(4)
    try await store.save(fixture.campaign("d"))
    try await fixture.start("d")
    let run = try #require(try await store.dueRuns(at: Sample.now, limit: 9).first)
    let tested = try #require(try await fixture.advance(run, sendID: "delayed-1"))
    let due = try #require(tested.dueAt)
    try await fixture.happen(.pause, "d", at: Sample.now + .seconds(10))
    try await fixture.happen(.resume, "d", at: Sample.now + .seconds(310))
    let resumed = try #require(try await store.run(run.id, app: fixture.app))
    #expect(resumed.dueAt == due + .seconds(300))
    #expect(try await store.dueRuns(at: due, limit: 9).isEmpty)
    #expect(try await store.dueRuns(at: due + .seconds(300), limit: 9).map(\.id) == [run.id])
    try await fixture.happen(.end, "d")
  },
  StoreBehaviour("a step that began before another one does not overwrite what that one measured") {
    store in
    let fixture = try await StoreFixture(store, "measured")
    try await fixture.register(4)
    try await store.save(fixture.campaign("m"))
    try await fixture.start("m")
    let planned = try #require(try await store.dueRuns(at: Sample.now, limit: 9).first)
    var run = try #require(try await fixture.advance(planned, sendID: "measured-1"))
    run = try #require(try await store.run(run.id, app: fixture.app))
    var measured = run
    measured.report = ["goals": ["bought": 1]]
    let first = try await store.advance(measured, from: run, with: RunChange(), at: Sample.now)
    #expect(first != nil)
    let second = try await store.advance(run, from: run, with: RunChange(), at: Sample.now)
    #expect(second == nil)
    #expect(try await store.run(run.id, app: fixture.app)?.report == measured.report)
    try await fixture.happen(.end, "m")
  },
  StoreBehaviour(
    "the next run is planned once, with the change of the one before; the last one ends it"
  ) { store in
    let fixture = try await StoreFixture(store, "recurring")
    try await fixture.register(4)
    var campaign = fixture.campaign("n")
    campaign.kind = .recurring
    try await store.save(campaign)
    #expect(try await store.campaign("n", app: fixture.app)?.kind == .recurring)
    (campaign.version, campaign.kind) = (2, .once)
    try await store.save(campaign)
    (campaign.version, campaign.kind) = (3, .recurring)
    try await store.save(campaign)
    #expect(try await store.campaign("n", app: fixture.app)?.kind == .recurring)
    try await fixture.start("n", version: 3)
    var last = try #require(try await store.dueRuns(at: Sample.now, limit: 9).first)
    for number in 2...4 {
      let steps = try await withThrowingTaskGroup(of: Bool.self) { [last] group in
        for place in 0..<3 {
          group.addTask {
            try await fixture.skip(last, next: "n-\(number)-\(place)", number: number)
          }
        }
        return try await group.reduce(into: [Bool]()) { $0.append($1) }
      }
      #expect(steps.count { $0 } == 1)
      #expect(try await store.run(last.id, app: fixture.app)?.state == .skipped)
      let runs = try await store.runs(ofCampaign: "n", app: fixture.app, limit: 9)
      #expect(runs.map(\.number) == Array((1...number).reversed()))
      last = try #require(runs.first)
      #expect(last.plannedAt == Sample.now + .seconds(Int64(number)))
      let due = try await store.dueRuns(at: last.plannedAt, limit: 9)
      #expect(due.contains { $0.id == last.id } && due.count { $0.campaign == "n" } == 1)
    }
    let page = try await store.runs(ofCampaign: "n", app: fixture.app, before: 4, limit: 2)
    #expect(page.map(\.number) == [3, 2])
    // A run that is under way holds the campaign as a planned one does.
    var rolling = last
    rolling.state = .rolling
    var change = RunChange()
    change.next = CampaignRun(
      id: "n-5", app: fixture.app, campaign: "n", number: 5, version: 3, plannedAt: Sample.now)
    #expect(try await store.advance(rolling, from: last, with: change, at: Sample.now) != nil)
    let fifth = try #require(try await store.run("n-5", app: fixture.app))
    #expect(try await fixture.skip(fifth))
    #expect(try await store.campaign("n", app: fixture.app)?.state == .live)
    let before = try #require(try await store.run(last.id, app: fixture.app))
    var settled = before
    (settled.state, settled.dueAt) = (.settled, nil)
    #expect(
      try await store.advance(settled, from: before, with: RunChange(), at: Sample.now) != nil)
    #expect(try await store.campaign("n", app: fixture.app)?.state == .ended)
  },
  StoreBehaviour("a campaign that was changed while it was started is not started") { store in
    let fixture = try await StoreFixture(store, "changed")
    var campaign = fixture.campaign("v")
    try await store.save(campaign)
    campaign.version = 2
    try await store.save(campaign)
    await expect(.conflict) { try await fixture.start("v") }
    #expect(try await store.campaign("v", app: fixture.app)?.state == .draft)
    #expect(try await store.runs(ofCampaign: "v", app: fixture.app, limit: 9).isEmpty)
  },
  StoreBehaviour("a run publishes messages with its change, and its end takes them out of inboxes")
  {
    store in
    let fixture = try await StoreFixture(store, "run-messages")
    var devices: [UInt32] = []
    // More than have a row each, so that one message has shards.
    for number in 0..<3 { devices.append(try await fixture.update("m\(number)").number) }
    let wide = DeviceNumbers((0..<2000).map { devices[0] + $0 * 5 })
    try await store.save(fixture.campaign("m"))
    try await fixture.start("m")
    let run = try #require(try await store.run("run-m", app: fixture.app))
    var (started, change) = (run, RunChange())
    (started.state, started.dueAt) = (.rolling, Sample.now + .seconds(60))
    change.audience = Sample.audience("\(fixture.app)-all", app: fixture.app)
    for (variant, members) in [("a", DeviceNumbers([devices[1], devices[2]])), ("b", wide)] {
      var message = Message(
        id: "\(fixture.app)-\(variant)", app: fixture.app, audience: "\(fixture.app)-all",
        title: variant, content: ["text": "T"], createdAt: Sample.now,
        unpublishAt: Sample.now + .seconds(100))
      message.origin = Send.RunOrigin(
        campaign: "m", run: run.id, phase: .rollout, variant: variant)
      message.targeted = members.count
      change.messages.append((message, members))
    }
    #expect(try await store.advance(started, from: run, with: change, at: Sample.now) != nil)
    // The same step again changes nothing.
    #expect(try await store.advance(started, from: run, with: change, at: Sample.now) == nil)
    _ = try await store.record(
      .detail, of: "\(fixture.app)-a", device: "m1", app: fixture.app, at: Sample.now)
    var published = try await store.messages(ofRun: run.id, app: fixture.app)
    #expect(published.map(\.message) == change.messages.map(\.message))
    #expect(published.map { $0.seen[.detail] } == [1, 0])
    for (message, members) in change.messages {
      #expect(try await store.devices(ofMessage: message.id, app: fixture.app) == members)
    }
    #expect(try await store.devices(ofMessage: "none", app: fixture.app).isEmpty)
    try await fixture.happen(.end, "m", at: Sample.now + .seconds(10))
    published = try await store.messages(ofRun: run.id, app: fixture.app)
    #expect(
      published.map(\.message.unpublishAt) == Array(repeating: Sample.now + .seconds(10), count: 2))
    let inbox = try await store.inbox(
      device: "m1", app: fixture.app, at: Sample.now + .seconds(10), after: nil, limit: 9)
    #expect(inbox.elements.isEmpty)
  },
  StoreBehaviour("the people of devices, and those on which an event happened since a time") {
    store in
    let fixture = try await StoreFixture(store, "goals")
    let one = try await fixture.update("g1") { $0.userID = .set("ann") }
    let two = try await fixture.update("g2")
    let numbers = DeviceNumbers([one.number, two.number])
    let people = try await store.people(app: fixture.app, numbers: numbers)
    #expect(people.map(\.number) == [one.number, two.number])
    #expect(people.map(\.person) == ["ann", "g2"])
    _ = try await store.record(
      [DeviceEvent(name: "bought")], device: "g1", app: fixture.app, at: Sample.now)
    func bought(since time: Timestamp) async throws -> DeviceNumbers {
      try await store.devices(
        withEvent: "bought", since: time, among: numbers, app: fixture.app)
    }
    #expect(try await bought(since: Sample.now) == DeviceNumbers([one.number]))
    #expect(try await bought(since: Sample.now + .milliseconds(1)).isEmpty)
  },
  StoreBehaviour("the limits of an app are replaced together, and ended") { store in
    let fixture = try await StoreFixture(store, "app-limits")
    #expect(try await store.limits(app: fixture.app) == AppLimits())
    for (percent, otherwise) in [(5, QuietHours.Otherwise.wait), (10, .drop)] {
      var limits = AppLimits()
      limits.holdout = Holdout(percent: percent, salt: "s", since: Sample.now)
      limits.quiet = QuietHours(from: 1320, to: 480, otherwise: otherwise)
      limits.caps = [
        FrequencyCap(most: percent, within: .seconds(60)),
        FrequencyCap(most: 50, within: .seconds(7 * 86_400)),
      ]
      try await store.setLimits(limits, app: fixture.app)
      #expect(try await store.limits(app: fixture.app) == limits)
    }
    try await store.setLimits(AppLimits(), app: fixture.app)
    #expect(try await store.limits(app: fixture.app) == AppLimits())
  },
  StoreBehaviour("the limits of an app are replaced only where they are those that were read") {
    store in
    let fixture = try await StoreFixture(store, "read-limits")
    var (first, second) = (AppLimits(), AppLimits())
    first.quiet = QuietHours(from: 1320, to: 480, otherwise: .wait)
    second.holdout = Holdout(percent: 5, salt: "s", since: Sample.now)
    try await store.setLimits(first, app: fixture.app, replacing: AppLimits())
    await expect(.conflict) {
      try await store.setLimits(second, app: fixture.app, replacing: AppLimits())
    }
    #expect(try await store.limits(app: fixture.app) == first)
    // Of two who have read the same, one replaces it.
    let done = await withTaskGroup(of: Bool.self) { group in
      for percent in 1...4 {
        var limits = first
        limits.holdout = Holdout(percent: percent, salt: "s", since: Sample.now)
        group.addTask { [limits, first, app = fixture.app] in
          do {
            try await store.setLimits(limits, app: app, replacing: first)
            return true
          } catch { return false }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(done == 1)
  },
]

extension StoreFixture {
  func campaign(_ id: String, at now: Timestamp = Sample.now) -> Campaign {
    Campaign(id: id, app: app, name: "Campaign", document: ["a": 1], createdAt: now)
  }

  @discardableResult
  func happen(
    _ event: CampaignLifecycle.Event, _ id: String, at now: Timestamp = Sample.now
  ) async throws -> Campaign? {
    try await store.apply(event, toCampaign: id, app: app, run: nil, at: now)
  }

  /// Starts a campaign with a run `run-ID`.
  @discardableResult
  func start(_ id: String, version: Int = 1) async throws -> Campaign? {
    let run = CampaignRun(
      id: "run-\(id)", app: app, campaign: id, number: 1, version: version, plannedAt: Sample.now)
    return try await store.apply(.start, toCampaign: id, app: app, run: run, at: Sample.now)
  }

  /// Skips a planned run, after which another one is planned.
  func skip(_ run: CampaignRun, next id: String? = nil, number: Int = 0) async throws -> Bool {
    var (skipped, change) = (run, RunChange())
    (skipped.state, skipped.dueAt) = (.skipped, nil)
    change.next = id.map { id in
      CampaignRun(
        id: id, app: app, campaign: run.campaign, number: number, version: run.version,
        plannedAt: Sample.now + .seconds(Int64(number)))
    }
    return try await store.advance(skipped, from: run, with: change, at: Sample.now) != nil
  }

  /// Sends the variant `a` of a planned run to the devices 1 and 2, and leaves 3 and 4 for the winner.
  func advance(_ run: CampaignRun, sendID: String) async throws -> CampaignRun? {
    var (tested, change) = (run, RunChange())
    tested.state = .testing
    tested.dueAt = Sample.now + .seconds(60)
    var send = Sample.send(sendID, app: app, audience: "\(app)-all")
    send.idempotencyKey = run.key(of: .test, variant: "a")
    send.origin = Send.RunOrigin(
      campaign: run.campaign, run: run.id, phase: .test, variant: "a")
    change.audience = Sample.audience("\(app)-all", app: app)
    change.sends = [
      (send, [Segment(dueAt: Sample.now, devices: DeviceNumbers([1, 2]))])
    ]
    change.groups = [.rest: DeviceNumbers([3, 4]), .control: DeviceNumbers()]
    return try await store.advance(tested, from: run, with: change, at: Sample.now)
  }
}

import PushPayload
import Testing

@testable import PushModel
@testable import PushStore

let enrollmentBehaviours = [
  StoreBehaviour("an event and the enrollment that it means are stored together, or neither is") {
    store in
    let fixture = try await StoreFixture(store, "enrolled")
    try await fixture.register(2)
    try await fixture.start("cart", Sample.cart)
    #expect(try await fixture.happen("cart", on: "enrolled-0"))
    #expect(try await fixture.happen("other", on: "enrolled-1"))
    let found = try await fixture.enrollment(of: .device("enrolled-0"), in: "cart")
    let enrollment = try #require(found?.enrollment)
    #expect(enrollment.isWaiting && enrollment.round == 1 && enrollment.step == 1)
    #expect(enrollment.enteredAt == Sample.now)
    #expect(enrollment.dueAt == Enrollment.due(from: Sample.now + .seconds(3600)))
    #expect(enrollment.data == ["total": 5] && found?.send == nil)
    #expect(try await fixture.enrollment(of: .device("enrolled-1"), in: "cart") == nil)
    #expect(try await fixture.enrollment(of: .user("enrolled-0"), in: "cart") == nil)
  },
  StoreBehaviour("the enrollments that are due are leased to one node, and not before") { store in
    let fixture = try await StoreFixture(store, "due")
    try await fixture.register(3)
    try await fixture.start("cart", Sample.cart)
    for device in 0..<3 { try await fixture.happen("cart", on: "due-\(device)") }
    let due = Enrollment.due(from: Sample.now + .seconds(3600))
    let trigger = try #require(try await fixture.trigger("cart"))
    func lease(at now: Timestamp, limit: Int = 10) async throws -> Int? {
      let found = try await store.leaseEnrollments(
        of: trigger, at: now, until: now + .seconds(30), limit: limit)
      return found?.count
    }
    #expect(try await lease(at: due + .milliseconds(-1)) == nil)
    #expect(try await lease(at: due, limit: 2) == 2)
    #expect(try await lease(at: due + .seconds(29)) == nil)
    #expect(try await lease(at: due + .seconds(30)) == 3)
    try await store.releaseEnrollments(of: trigger)
    #expect(try await lease(at: due) == 3)
  },
  StoreBehaviour("enrollments move on with one send for those that are as they were") { store in
    let fixture = try await StoreFixture(store, "moved")
    try await fixture.register(3)
    try await fixture.start("cart", Sample.cart)
    for device in 0..<3 { try await fixture.happen("cart", on: "moved-\(device)") }
    let change = try await fixture.change("cart", sendID: "moved-send")
    #expect(change.moves.count == 3)
    // One leaves after the others were read.
    try await fixture.happen("bought", on: "moved-1")
    #expect(try await store.advance(change, at: Sample.later) == 2)
    let send = try await fixture.send("moved-send")
    #expect(send.counts.targeted == 2 && send.origin?.campaign == fixture.id("cart"))
    let numbers = change.moves.flatMap(\.devices)
    let data = try await store.eventData(
      ofSend: send.id, app: fixture.app, devices: DeviceNumbers(numbers))
    #expect(data.count == 2 && data.values.allSatisfy { $0 == ["total": 5] })
    // The same change again changes nothing, so nobody gets it twice.
    #expect(try await store.advance(change, at: Sample.later) == 0)
    let done = try #require(
      try await fixture.enrollment(of: .device("moved-0"), in: "cart"))
    #expect(done.enrollment.outcome == .done && done.send?.id == send.id)
    #expect(done.enrollment.sentAt == Sample.later && done.enrollment.dueAt == nil)
    let counts = try #require(
      try await store.enrollmentCounts(ofCampaign: fixture.id("cart"), app: fixture.app))
    #expect(counts.ended == [1: [.done: 2, .exited: 1]] && counts.waiting.isEmpty)
    let sums = try await store.counts(ofRun: "run-\(fixture.id("cart"))", app: fixture.app)
    #expect(sums["a"]?.targeted == 2)
  },
  StoreBehaviour("enrollments move on with one in-app message for those that are as they were") {
    store in
    let fixture = try await StoreFixture(store, "shown")
    try await fixture.register(3)
    try await fixture.start("cart", Sample.cart)
    for device in 0..<3 { try await fixture.happen("cart", on: "shown-\(device)") }
    var change = try await fixture.change("cart", sendID: "unused")
    var message = Message(
      id: "shown-message", app: fixture.app, audience: change.audience.id, title: "Welcome",
      content: ["text": "Hello"], createdAt: Sample.later,
      unpublishAt: Sample.later + .days(1))
    message.origin = Send.RunOrigin(
      campaign: fixture.id("cart"), run: "run-\(fixture.id("cart"))", phase: .rollout, variant: "a")
    change.deliveries = [.message(message)]
    // One leaves after the others were read.
    try await fixture.happen("bought", on: "shown-1")
    #expect(try await store.advance(change, at: Sample.later) == 2)
    func inbox(_ device: Int) async throws -> [String] {
      try await store.inbox(
        device: "shown-\(device)", app: fixture.app, at: Sample.later, after: nil, limit: 9
      ).elements.map(\.message.id)
    }
    for (device, isShown) in [(0, true), (1, false), (2, true)] {
      #expect(try await inbox(device) == (isShown ? [message.id] : []))
    }
    // The same change again changes nothing, so nobody gets it twice.
    #expect(try await store.advance(change, at: Sample.later) == 0)
    let done = try #require(
      try await fixture.enrollment(of: .device("shown-0"), in: "cart"))
    #expect(done.enrollment.outcome == .done && done.send == nil)
    #expect(done.message?.id == message.id && done.message?.targeted == 2)
    let left = try await fixture.enrollment(of: .device("shown-1"), in: "cart")
    #expect(left?.enrollment.outcome == .exited && left?.message == nil)
    for impression in [Message.Impression.stream, .detail] {
      try await store.record(
        impression, of: message.id, device: "shown-0", app: fixture.app, at: Sample.later)
    }
    let run = "run-\(fixture.id("cart"))"
    let counts = try await store.messageCounts(ofRun: run, app: fixture.app)
    #expect(counts.keys.sorted() == ["a"] && counts["a"]?.targeted == 2)
    #expect(counts["a"]?.seen == [.inApp: 0, .stream: 1, .detail: 1])
    #expect(try await store.messageCounts(ofRun: "none", app: fixture.app).isEmpty)
    // Lists may leave out what triggered campaigns have published.
    for (leavesOut, total) in [(false, 1), (true, 0)] {
      var query = MessageQuery()
      query.leavesOutTriggered = leavesOut
      let page = try await store.messages(
        app: fixture.app, matching: query, after: nil, limit: 9)
      #expect(page.total == total && page.elements.count == total)
    }
    // The end of the campaign takes it out of inboxes.
    try await fixture.happen(.end, fixture.id("cart"), at: Sample.later)
    #expect(try await inbox(0).isEmpty)
  },
  StoreBehaviour("nothing moves while the campaign is paused, and all of it leaves an ended one") {
    store in
    let fixture = try await StoreFixture(store, "over")
    try await fixture.register(2)
    try await fixture.start("cart", Sample.cart)
    for device in 0..<2 { try await fixture.happen("cart", on: "over-\(device)") }
    let change = try await fixture.change("cart", sendID: "over-send")
    try await fixture.happen(.pause, fixture.id("cart"))
    #expect(try await fixture.trigger("cart") == nil)
    #expect(try await store.advance(change, at: Sample.later) == nil)
    try await fixture.happen(.end, fixture.id("cart"))
    let trigger = try #require(try await fixture.trigger("cart"))
    #expect(trigger.isEnding)
    #expect(try await store.endEnrollments(of: trigger, at: Sample.later, limit: 1))
    #expect(try await store.endEnrollments(of: trigger, at: Sample.later, limit: 1))
    #expect(try await !store.endEnrollments(of: trigger, at: Sample.later, limit: 1))
    let counts = try #require(
      try await store.enrollmentCounts(ofCampaign: fixture.id("cart"), app: fixture.app))
    #expect(counts.ended == [1: [.campaignEnded: 2]])
    #expect(try await fixture.trigger("cart") == nil)
  },
  StoreBehaviour("who enters an audience is enrolled with what is known of it, by one of two nodes")
  {
    store in
    let fixture = try await StoreFixture(store, "looked")
    try await fixture.register(3)
    var trigger = Sample.cart
    trigger.entry = .enters(audience: "a")
    try await fixture.start("cart", trigger, seen: DeviceNumbers([1]))
    let live = try #require(try await fixture.trigger("cart"))
    #expect(live.lookAt == Sample.now && live.looks == 0)
    #expect(try await store.seen(by: live) == DeviceNumbers([1]))
    let look = AudienceLook(
      live, enrolls: DeviceNumbers([2, 3]), seen: DeviceNumbers([1, 2, 3]),
      nextLook: Sample.later)
    #expect(try await store.store(look, at: Sample.now))
    #expect(try await !store.store(look, at: Sample.now))
    let after = try #require(try await fixture.trigger("cart"))
    #expect(after.lookAt == Sample.later && after.looks == 1)
    #expect(try await store.seen(by: after) == DeviceNumbers([1, 2, 3]))
    #expect(try await fixture.enrollments().count == 2)
  },
  StoreBehaviour("a request enrolls people once for its key") { store in
    let fixture = try await StoreFixture(store, "called")
    try await fixture.register(2)
    try await fixture.start("cart", Sample.cart)
    var call = EnrollmentCall(
      campaign: fixture.id("cart"), app: fixture.app, devices: DeviceNumbers([1, 2]),
      data: ["a": 1])
    (call.key, call.fingerprint) = ("k", [1])
    #expect(try await store.enroll(call, at: Sample.now)?.enrolled == 2)
    call.fingerprint = [2]
    let repeated = try #require(try await store.enroll(call, at: Sample.later))
    #expect(repeated.enrolled == 2 && repeated.fingerprint == [1])
    call.key = nil
    #expect(try await store.enroll(call, at: Sample.now)?.enrolled == 0)
    call.campaign = "none"
    #expect(try await store.enroll(call, at: Sample.now) == nil)
    try await fixture.happen(.pause, fixture.id("cart"))
    call.campaign = fixture.id("cart")
    let error = await #expect(throws: StoreError.self) {
      try await store.enroll(call, at: Sample.now)
    }
    #expect(error?.code == .conflict)
  },
  StoreBehaviour(
    "the erasure of a device removes its enrollments, and those of its user with the last"
  ) {
    store in
    let fixture = try await StoreFixture(store, "erased-enrollment")
    for id in ["e-0", "e-1", "e-2"] {
      try await fixture.update(id) { patch in
        patch.token = .set("ee\(id)")
        if id != "e-2" { patch.userID = .set("u") }
      }
    }
    try await fixture.start("cart", Sample.cart)
    try await fixture.happen("cart", on: "e-0")
    try await fixture.happen("cart", on: "e-2")
    let change = try await fixture.change("cart", sendID: "erased-enrollment-send")
    #expect(try await store.advance(change, at: Sample.later) == 2)
    let numbers = DeviceNumbers(change.moves.flatMap(\.devices))
    func left() async throws -> [Int] {
      let data = try await store.eventData(
        ofSend: "erased-enrollment-send", app: fixture.app, devices: numbers)
      let enrollments = try await fixture.enrollments()
      return [enrollments.count, data.count]
    }
    #expect(try await left() == [2, 3])
    _ = try await store.erase(device: "e-2", app: fixture.app, at: Sample.later)
    #expect(try await left() == [1, 2])
    _ = try await store.erase(device: "e-0", app: fixture.app, at: Sample.later)
    #expect(try await left() == [1, 1])
    _ = try await store.erase(device: "e-1", app: fixture.app, at: Sample.later)
    #expect(try await left() == [0, 0])
  },
  StoreBehaviour("enrollments are removed 90 days after their end, and their counts stay") {
    store in
    let fixture = try await StoreFixture(store, "kept-enrollment")
    try await fixture.register(3)
    try await fixture.start("cart", Sample.cart)
    for device in 0..<3 { try await fixture.happen("cart", on: "kept-enrollment-\(device)") }
    try await fixture.happen("bought", on: "kept-enrollment-0")
    var change = try await fixture.change("cart", sendID: "kept-enrollment-send")
    change.moves = Array(change.moves.prefix(1))
    #expect(try await store.advance(change, at: Sample.now) == 1)
    let counts = try await store.enrollmentCounts(ofCampaign: fixture.id("cart"), app: fixture.app)
    func keep(_ time: Duration) async throws -> Int {
      while try await store.removeOutdated(Retention(), at: Sample.now + time, limit: 1) {}
      let now = try await store.enrollmentCounts(
        ofCampaign: fixture.id("cart"), app: fixture.app)
      #expect(now == counts)
      let enrollments = try await fixture.enrollments()
      return enrollments.count
    }
    #expect(try await keep(.days(90)) == 3)
    // Whoever got the message once must never get it again, so that is kept.
    #expect(try await keep(.days(90) + .milliseconds(1)) == 2)
    try await fixture.happen(.end, fixture.id("cart"))
    let trigger = try #require(try await fixture.trigger("cart"))
    while try await store.endEnrollments(of: trigger, at: Sample.now + .days(91), limit: 10) {}
    while try await store.removeOutdated(Retention(), at: Sample.now + .days(91), limit: 1) {}
    #expect(try await fixture.enrollments().count == 1)
    while try await store.removeOutdated(
      Retention(), at: Sample.now + .days(182), limit: 1)
    {}
    #expect(try await fixture.enrollments().isEmpty)
    let all = try await store.enrollmentCounts(ofCampaign: fixture.id("cart"), app: fixture.app)
    #expect(all?.ended == [1: [.done: 1, .exited: 1, .campaignEnded: 1]])
  },
]

extension Sample {
  static let later = now + .seconds(7200)

  static let cart = CampaignTrigger(
    .event(EventMatch("cart")), exits: [EventMatch("bought")], firstWait: .seconds(3600),
    since: now)
}

extension StoreFixture {
  /// The id of a campaign, which differs from app to app.
  func id(_ campaign: String) -> String { "\(app)-\(campaign)" }

  /// Starts a triggered campaign of one step.
  func start(
    _ name: String, _ trigger: CampaignTrigger, seen: DeviceNumbers? = nil
  ) async throws {
    var campaign = campaign(id(name))
    campaign.kind = .triggered
    try await store.save(campaign)
    var run = CampaignRun(
      id: "run-\(campaign.id)", app: app, campaign: campaign.id, number: 1, version: 1,
      plannedAt: Sample.now)
    (run.state, run.dueAt, run.startedAt) = (.rolling, nil, Sample.now)
    _ = try await store.apply(
      .start, toCampaign: campaign.id, app: app,
      start: CampaignStart(runs: [run], trigger: trigger, seen: seen), at: Sample.now)
  }

  @discardableResult
  func happen(_ name: String, on device: String, at now: Timestamp = Sample.now) async throws
    -> Bool
  {
    var event = DeviceEvent(name: name)
    event.data = ["total": 5]
    return try await store.record([event], device: device, app: app, at: now)
  }

  func trigger(_ name: String) async throws -> LiveTrigger? {
    try await store.liveTriggers().first { $0.app == app && $0.campaign == id(name) }
  }

  func enrollment(
    of person: Enrollment.Person, in name: String
  ) async throws -> LastEnrollment? {
    try await store.enrollment(of: person, inCampaign: id(name), app: app)
  }

  /// The change that sends the variant `a` to all who are due.
  func change(_ name: String, sendID: String) async throws -> EnrollmentChange {
    let trigger = try #require(try await trigger(name))
    let due = try #require(
      try await store.leaseEnrollments(
        of: trigger, at: Sample.later, until: Sample.later, limit: 10))
    let devices = try await store.devices(of: due.map(\.person), app: app)
    let moves = due.sorted { $0.person.text < $1.person.text }.map { old in
      var new = old
      new.on(.sent(next: nil), at: Sample.later)
      return EnrollmentChange.Move(
        from: old, to: new, delivery: 0, devices: devices[old.person] ?? [])
    }
    var send = Sample.send(sendID, app: app, audience: "\(app)-all")
    send.origin = Send.RunOrigin(
      campaign: id(name), run: "run-\(id(name))", phase: .rollout, variant: "a")
    var change = EnrollmentChange(
      trigger, moves: moves, audience: Sample.audience("\(app)-all", app: app))
    let segment = Segment(
      dueAt: send.createdAt, devices: DeviceNumbers(moves.flatMap(\.devices)))
    change.deliveries = [.push(send, segments: [segment], isPersonal: true)]
    return change
  }

  /// Starts a campaign, in which devices get a message, with a row in each of its tables.
  func enroll(_ name: String, _ devices: [String]) async throws {
    try await start(name, Sample.cart)
    for device in devices { try await happen("cart", on: device) }
    _ = try await store.advance(change(name, sendID: "\(app)-\(name)-send"), at: Sample.later)
    var call = EnrollmentCall(
      campaign: id(name), app: app, devices: DeviceNumbers([1]), data: nil)
    call.key = "call"
    _ = try await store.enroll(call, at: Sample.later)
  }

  /// The rows of the app's enrollments, as text.
  func enrollments() async throws -> [String] {
    let store = try #require(store as? any SQLPushStore)
    return try await store.enrollmentRows(app: app)
  }
}

extension SQLPushStore {
  fileprivate func enrollmentRows(app: String) async throws -> [String] {
    try await read { db in
      let app = try Self.number(of: app, db) ?? 0
      return try db.rows(
        """
        SELECT \(Enrollment.columns) FROM enrollments WHERE app = \(app)
        ORDER BY trigger_number, person, round
        """
      ) { row in
        let trigger = try row.integer("trigger_number")
        return "\(trigger) \(try Enrollment(row: &row))"
      }
    }
  }
}

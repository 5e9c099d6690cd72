import PushModel
import PushPayload
import Testing

/// What goes out when, and the orders of lists.
let scheduleBehaviours: [StoreBehaviour] = [
  StoreBehaviour("sends and runs with a time in a span are listed in its order") {
    store in
    let fixture = try await StoreFixture(store, "schedule")
    try await fixture.register(1)
    for (id, seconds) in [("later", 60), ("sooner", 30), ("at the end", 90)] {
      try await fixture.accept(id) { $0.scheduledAt = Sample.now + .seconds(Int64(seconds)) }
    }
    try await fixture.accept("at once")
    let span = Sample.now + .seconds(30)..<Sample.now + .seconds(90)
    func sends(_ limit: Int) async throws -> [String] {
      try await store.sends(app: fixture.app, scheduledIn: span, limit: limit).map(\.id)
    }
    #expect(try await sends(9) == ["sooner", "later"])
    #expect(try await sends(1) == ["sooner"])
    try await store.save(fixture.campaign("p"))
    try await fixture.start("p")
    let soon = Sample.now..<Sample.now + .seconds(1)
    #expect(
      try await store.runs(app: fixture.app, plannedIn: soon, limit: 9).map(\.id) == ["run-p"])
    #expect(try await store.runs(app: fixture.app, plannedIn: span, limit: 9).isEmpty)
    #expect(
      try await store.runs(app: fixture.app, in: [.planned, .testing], limit: 9).map(\.id)
        == ["run-p"])
    #expect(try await store.runs(app: fixture.app, in: [.deciding], limit: 9).isEmpty)
    _ = try await fixture.happen(.end, "p")
    for id in ["later", "sooner", "at the end", "at once"] {
      _ = try await store.order(.cancel, send: id, app: fixture.app, at: Sample.now)
    }
  },
  StoreBehaviour("a list of sends has each run once, and pages in each of its orders") { store in
    let fixture = try await StoreFixture(store, "orders")
    try await fixture.register(1)
    let run = Send.RunOrigin(campaign: "c", run: "orders-run", phase: .test, variant: "a")
    for (number, isOfRun) in [true, false, true, true, false].enumerated() {
      try await fixture.accept("orders-\(number)") { send in
        send.origin = isOfRun ? run : nil
        send.labels = number == 3 ? [] : ["early"]
        send.scheduledAt = isOfRun ? nil : Sample.now + .seconds(Int64(90 - number))
      }
    }
    func pages(_ edit: (inout SendQuery) -> Void) async throws -> [String] {
      var (query, ids, cursor) = (SendQuery(), [String](), String?.none)
      edit(&query)
      repeat {
        let page = try await store.sends(
          app: fixture.app, matching: query, after: cursor, limit: 2)
        ids += page.sends.map { String($0.id.suffix(1)) }
        cursor = page.sends.count == 2 ? page.sends.last?.id : nil
      } while cursor != nil
      return ids
    }
    #expect(try await pages { $0.order = .oldest } == ["0", "1", "2", "3", "4"])
    #expect(try await pages { $0.order = .next } == ["4", "1"])
    #expect(try await pages { $0.foldsRuns = true } == ["4", "3", "1"])
    #expect(
      try await pages { query in
        query.label = "early"
        query.foldsRuns = true
      } == ["4", "2", "1"])
    let folded = {
      var query = SendQuery(); query.foldsRuns = true; return query
    }()
    #expect(
      try await store.sends(app: fixture.app, matching: folded, after: nil, limit: 1).total == 3)
    let uncounted = try await store.uncountedSends(
      app: fixture.app, matching: folded, after: "orders-4", limit: 1)
    #expect(uncounted.map(\.id) == ["orders-3"])
    let sends = try await store.sends(ofRuns: ["orders-run", "none"], app: fixture.app)
    #expect(sends.map { String($0.id.suffix(1)) } == ["0", "2", "3"])
    #expect(try await store.sends(ofRuns: [], app: fixture.app).isEmpty)
    for number in 0..<5 {
      _ = try await store.order(
        .cancel, send: "orders-\(number)", app: fixture.app, at: Sample.now)
    }
  },
  StoreBehaviour(
    "campaigns are found by their ids, by kind and by submission, with their last runs"
  ) {
    store in
    let fixture = try await StoreFixture(store, "last-runs")
    for (number, name) in ["b", "A", "c"].enumerated() {
      var campaign = fixture.campaign("n\(number)", at: Sample.now + .seconds(Int64(number)))
      campaign.name = name
      campaign.kind = number == 2 ? .recurring : .once
      try await store.save(campaign)
    }
    func found(_ edit: (inout CampaignQuery) -> Void) async throws -> [String] {
      var query = CampaignQuery()
      edit(&query)
      let first = try await store.campaigns(
        app: fixture.app, matching: query, after: nil, limit: 1)
      guard let cursor = first.cursor else { return first.elements.map(\.id) }
      let rest = try await store.campaigns(
        app: fixture.app, matching: query, after: cursor, limit: 9)
      return (first.elements + rest.elements).map(\.id)
    }
    #expect(try await found { $0.kind = .recurring } == ["n2"])
    #expect(try await found { $0.order = .oldest } == ["n0", "n1", "n2"])
    #expect(try await found { $0.order = .name } == ["n1", "n0", "n2"])
    #expect(try await found { $0.isSubmitted = true } == [])
    _ = try await store.apply(
      CampaignApproval.Event(.submit, version: 1, by: "ada", at: Sample.now), toCampaign: "n1",
      app: fixture.app)
    #expect(try await found { $0.isSubmitted = true } == ["n1"])
    let named = try await store.campaigns(["n2", "none", "n0"], app: fixture.app)
    #expect(Set(named.map(\.id)) == ["n0", "n2"])
    try await fixture.start("n2")
    var run = try #require(try await store.run("run-n2", app: fixture.app))
    for number in 2...4 {
      #expect(try await fixture.skip(run, next: "numbers-\(number)", number: number))
      run = try #require(try await store.run("numbers-\(number)", app: fixture.app))
    }
    let last = try await store.lastRuns(ofCampaigns: ["n2", "n0"], app: fixture.app)
    #expect(Set(last.map(\.number)) == [3, 4])
    _ = try await fixture.happen(.end, "n2")
  },
  StoreBehaviour("messages, templates and audiences page in each of their orders") { store in
    let fixture = try await StoreFixture(store, "sorted")
    for (number, title) in ["Autumn", "Winter", "autumn leaves"].enumerated() {
      let time = Sample.now + .seconds(Int64(number))
      let message = Message(
        id: "sorted-\(number)", app: fixture.app, audience: "a", title: title, content: [:],
        createdAt: time, unpublishAt: time + .seconds(10))
      try await store.add(message)
      _ = try await store.save(
        StoredTemplate(
          app: fixture.app, name: ["b", "c", "a"][number], version: 1, payload: ["alert": "x"],
          savedAt: time), after: 0)
      var audience = Audience(
        id: "sorted-\(number)", app: fixture.app, filters: [], createdAt: time)
      (audience.name, audience.isTest) = (title, number == 1)
      try await store.save(audience)
    }
    var messages = MessageQuery("AUTUMN")
    messages.order = .oldest
    let first = try await store.messages(
      app: fixture.app, matching: messages, after: nil, limit: 1)
    #expect(first.elements.map(\.title) == ["Autumn"] && first.total == 2)
    let second = try await store.messages(
      app: fixture.app, matching: messages, after: first.cursor, limit: 1)
    #expect(second.elements.map(\.title) == ["autumn leaves"] && second.cursor == nil)
    messages = MessageQuery()
    for (state, seconds, count) in [
      (Message.State.planned, 0, 2), (.published, 2, 3), (.ended, 11, 2), (.ended, 9, 0),
    ] {
      messages.state = (state, Sample.now + .seconds(Int64(seconds)))
      let found = try await store.messages(
        app: fixture.app, matching: messages, after: nil, limit: 9)
      #expect(found.total == count, "\(state)")
    }
    for (number, run) in ["r", "r", nil].enumerated() {
      var message = Message(
        id: "folded-\(number)", app: fixture.app, audience: "a", title: "Variant \(number)",
        content: [:], createdAt: Sample.now, unpublishAt: Sample.now + .seconds(10))
      message.origin = run.map {
        Send.RunOrigin(campaign: "c", run: $0, phase: .test, variant: "\(number)")
      }
      try await store.add(message)
    }
    messages = MessageQuery("variant")
    messages.foldsRuns = true
    let folded = try await store.messages(
      app: fixture.app, matching: messages, after: nil, limit: 9)
    #expect(folded.elements.map(\.id) == ["folded-2", "folded-1"] && folded.total == 2)
    messages.text = "variant 0"
    let one = try await store.messages(app: fixture.app, matching: messages, after: nil, limit: 9)
    #expect(one.elements.map(\.id) == ["folded-0"])
    var names: [String] = []
    var cursor: String?
    repeat {
      let page = try await store.templates(
        app: fixture.app, matching: "", order: .saved, after: cursor, limit: 2)
      names += page.elements.map(\.name)
      cursor = page.cursor
    } while cursor != nil
    #expect(names == ["a", "c", "b"])
    func audiences(_ edit: (inout AudienceQuery) -> Void) async throws -> [String] {
      var query = AudienceQuery()
      edit(&query)
      let first = try await store.audiences(
        app: fixture.app, matching: query, after: nil, limit: 1)
      guard let cursor = first.cursor else { return first.elements.compactMap(\.name) }
      let rest = try await store.audiences(
        app: fixture.app, matching: query, after: cursor, limit: 9)
      return (first.elements + rest.elements).compactMap(\.name)
    }
    #expect(try await audiences { $0.order = .name } == ["Autumn", "autumn leaves", "Winter"])
    #expect(try await audiences { $0.order = .oldest } == ["Autumn", "Winter", "autumn leaves"])
    #expect(try await audiences { $0.text = "LEAV" } == ["autumn leaves"])
    #expect(try await audiences { $0.isTest = true } == ["Winter"])
    var unnamed = Audience(id: "of-a-send", app: fixture.app, filters: [], createdAt: Sample.now)
    unnamed.updatedAt = Sample.now
    try await store.save(unnamed)
    let newest = try await store.audienceNames(app: fixture.app, limit: 2)
    #expect(
      newest.map(\.name) == ["autumn leaves", "Winter"] && newest.map(\.isTest) == [false, true])
    #expect(try await store.audienceNames(app: fixture.app, limit: 9).count == 3)
    let asked = try await store.audienceNames(["of-a-send", "sorted-0", "none"], app: fixture.app)
    #expect(Set(asked.map(\.id)) == ["of-a-send", "sorted-0"])
    #expect(asked.first { $0.id == "of-a-send" }?.name == nil)
    #expect(try await store.audienceNames([], app: fixture.app).isEmpty)
  },
]

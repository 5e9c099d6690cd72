import PushModel
import PushPayload
import Testing

let auditBehaviours = [
  StoreBehaviour("the audit log of an app or of the server is listed, the newest entry first") {
    store in
    let fixture = try await StoreFixture(store, "audit")
    for number in 0..<3 {
      try await store.append(
        AuditEntry(
          app: number == 1 ? nil : fixture.app, key: "k", action: "act\(number)", object: "o",
          address: "192.0.2.1", at: Sample.now))
    }
    let first = try await store.audit(app: fixture.app, after: nil, limit: 1)
    #expect(first.elements.map(\.action) == ["act2"])
    #expect(first.total == 2)
    let rest = try await store.audit(app: fixture.app, after: first.cursor, limit: 5)
    #expect(rest.elements.map(\.action) == ["act0"])
    #expect(try await store.audit(app: nil, after: nil, limit: 1).elements.first?.action == "act1")
    await expect(.expiredCursor) {
      _ = try await store.audit(app: nil, after: "x", limit: 1)
    }
    let own = try await store.audit(of: "o", app: fixture.app, limit: 5)
    #expect(own.map(\.action) == ["act2", "act0"])
    #expect(try await store.audit(of: "o", app: fixture.app, limit: 1).map(\.action) == ["act2"])
    #expect(try await store.audit(of: "other", app: fixture.app, limit: 5).isEmpty)
    #expect(try await store.audit(of: "o", app: "none", limit: 5).isEmpty)
  },
  StoreBehaviour("an audit log is searched by who made a change, by what it was and by its time") {
    store in
    let fixture = try await StoreFixture(store, "audited")
    func add(_ action: String, key: String? = nil, account: String? = nil, at seconds: Int)
      async throws
    {
      try await store.append(
        AuditEntry(
          app: fixture.app, key: key, account: account, action: action, object: nil, address: nil,
          at: Sample.now + .seconds(seconds)))
    }
    try await add("key.create", key: "k1", at: 0)
    try await add("keys.x", key: "k2", at: 1)
    try await add("key.revoke", account: "ada", at: 2)
    try await add("app.update", at: 3)
    func found(_ edit: (inout AuditQuery) -> Void) async throws -> [String] {
      var query = AuditQuery()
      edit(&query)
      let page = try await store.audit(app: fixture.app, matching: query, after: nil, limit: 9)
      #expect(page.total == page.elements.count)
      return page.elements.map(\.action)
    }
    #expect(try await found { _ in }.count == 4)
    #expect(try await found { $0.actor = .key("k1") } == ["key.create"])
    #expect(try await found { $0.actor = .person("ada") } == ["key.revoke"])
    #expect(try await found { $0.actor = .unnamed } == ["app.update"])
    #expect(try await found { $0.subjects = ["key"] } == ["key.revoke", "key.create"])
    #expect(try await found { $0.subjects = ["app", "key"] }.count == 3)
    let times = (Sample.now + .seconds(1))...(Sample.now + .seconds(2))
    #expect(try await found { $0.times = times } == ["key.revoke", "keys.x"])
    #expect(
      try await found {
        $0.times = times
        $0.subjects = ["key"]
        $0.actor = .key("k1")
      } == [])
    var query = AuditQuery()
    query.subjects = ["key"]
    let first = try await store.audit(app: fixture.app, matching: query, after: nil, limit: 1)
    #expect(first.total == 2)
    let rest = try await store.audit(
      app: fixture.app, matching: query, after: first.cursor, limit: 9)
    #expect(rest.elements.map(\.action) == ["key.create"] && rest.cursor == nil)
  },
  StoreBehaviour("the counts of notifications are summed over a time, and over campaigns") {
    store in
    let fixture = try await StoreFixture(store, "summed")
    try await fixture.register(3)
    let day = Sample.now + .seconds(86_400)
    #expect(try await store.totals(app: fixture.app, from: Sample.now, to: day) == SendTotals())
    try await fixture.accept("summed-1")
    try await fixture.accept("summed-2")
    try await fixture.drain()
    try await fixture.accept("summed-3") { $0.createdAt = day + .milliseconds(1) }
    try await store.record(
      [DeviceEvent(name: "buy", send: "summed-1")], device: "summed-0", app: fixture.app,
      at: Sample.now)
    var totals = try await store.totals(app: fixture.app, from: Sample.now, to: day)
    #expect(totals.sends == 2 && totals.unfinished == 0)
    #expect(totals.targeted == 6 && totals.accepted == 6 && totals.opened == 0)
    #expect(totals.conversions == ["buy": 1])
    totals = try await store.totals(app: fixture.app, from: Sample.now, to: day + .seconds(1))
    #expect(totals.sends == 3 && totals.unfinished == 1 && totals.accepted == 6)
    try await fixture.drain(at: day + .seconds(1))
    #expect(
      try await store.totals(ofCampaigns: ["none"], app: fixture.app) == ["none": SendTotals()])
    #expect(try await store.totals(ofCampaigns: ["none"], app: "none").isEmpty)
  },
]

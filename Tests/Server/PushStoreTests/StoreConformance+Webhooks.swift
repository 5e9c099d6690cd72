import PushModel
import PushPayload
import Testing

let webhookBehaviours = [
  StoreBehaviour("a webhook gets the events that it subscribes to, repeated and one at a time") {
    store in
    let fixture = try await StoreFixture(store, "webhooks")
    let hooks = [["sent"], ["sent", "opened"]].enumerated().map { number, events in
      Webhook(
        id: "hook\(number)", app: fixture.app, url: "https://example.com", events: events,
        sealedSecret: [1, 2], createdAt: Sample.now)
    }
    for hook in hooks { try await store.add(hook) }
    #expect(try await store.webhooks(app: fixture.app) == hooks)
    func enqueue(_ event: String) async throws -> Int {
      try await store.enqueue(
        WebhookNotice(app: fixture.app, event: event, data: ["a": 1], at: Sample.now))
    }
    #expect(try await enqueue("none") == 0)
    #expect(try await enqueue("opened") == 1)
    let later = Sample.now + .seconds(5)
    func lease(at now: Timestamp = Sample.now) async throws -> WebhookCall? {
      try await store.leaseWebhookCall(owner: "a", at: now, until: now + .seconds(5))
    }
    let first = try #require(try await lease())
    #expect(first.webhook == hooks[1])
    #expect(first.body["data"] == ["a": 1])
    #expect(first.body["event"] == "opened" && first.body["app_id"]?.string == fixture.app)
    #expect(try await lease() == nil)
    // The lease has lapsed, so its owner changes nothing any more.
    let second = try #require(try await lease(at: later))
    try await store.finish(first, retryAt: nil)
    try await store.finish(second, retryAt: later)
    let third = try #require(try await lease(at: later))
    #expect(third.attempts == 1)
    try await store.finish(third, retryAt: nil)
    #expect(try await lease(at: later) == nil)

    #expect(try await enqueue("sent") == 2)
    #expect(try await store.deleteWebhook("hook0", app: "none") == false)
    #expect(try await store.deleteWebhook("hook0", app: fixture.app))
    let left = try #require(try await lease(at: later))
    #expect(left.webhook.id == "hook1")
    try await store.finish(left, retryAt: nil)
    #expect(try await lease(at: later) == nil)
  },
  StoreBehaviour("what waits for a webhook is counted, with why the oldest call failed") { store in
    let fixture = try await StoreFixture(store, "waiting")
    try await store.add(
      Webhook(
        id: "waits", app: fixture.app, url: "https://e.x", events: ["made"], sealedSecret: [],
        createdAt: Sample.now))
    func backlog() async throws -> WebhookBacklog? {
      try await store.backlog(ofWebhook: "waits", app: fixture.app)
    }
    #expect(try await backlog() == nil)
    for number in 0..<3 {
      _ = try await store.enqueue(
        WebhookNotice(
          app: fixture.app, event: "made", data: [:], at: Sample.now + .seconds(number)))
    }
    var waiting = WebhookBacklog(
      count: 3, failures: 0, failure: nil, since: Sample.now, dueAt: Sample.now)
    #expect(try await backlog() == waiting)
    var call = try #require(
      try await store.leaseWebhookCall(
        owner: "a", at: Sample.now + .seconds(3), until: Sample.now + .seconds(9)))
    call.failure = "the server answered with status 500"
    try await store.finish(call, retryAt: Sample.now + .seconds(60))
    waiting.failures = 1
    waiting.failure = "the server answered with status 500"
    waiting.dueAt = Sample.now + .seconds(60)
    #expect(try await backlog() == waiting)
    #expect(try await store.backlog(ofWebhook: "waits", app: "none") == nil)
    #expect(try await store.deleteWebhook("waits", app: fixture.app))
    #expect(try await backlog() == nil)
  },
  StoreBehaviour("each webhook has one call at a time, and none waits for the call of another") {
    store in
    let fixture = try await StoreFixture(store, "receivers")
    for id in ["slow", "quick"] {
      try await store.add(
        Webhook(
          id: id, app: fixture.app, url: "https://e.x", events: ["made"], sealedSecret: [],
          createdAt: Sample.now))
    }
    for _ in 0..<2 {
      _ = try await store.enqueue(
        WebhookNotice(app: fixture.app, event: "made", data: [:], at: Sample.now))
    }
    func lease(at now: Timestamp = Sample.now) async throws -> WebhookCall? {
      try await store.leaseWebhookCall(owner: "a", at: now, until: now + .seconds(60))
    }
    let first = try #require(try await lease())
    let second = try #require(try await lease())
    #expect(Set([first, second].map(\.webhook.id)) == ["slow", "quick"])
    #expect(try await lease() == nil)
    try await store.finish(second, retryAt: nil)
    let third = try #require(try await lease())
    #expect(third.webhook.id == second.webhook.id)
    // A failed call delays the later calls of its webhook no longer than it took.
    try await store.finish(first, retryAt: Sample.now + .seconds(5))
    let fourth = try #require(try await lease())
    #expect(fourth.webhook.id == first.webhook.id && fourth.id != first.id)
    for call in [third, fourth] { try await store.finish(call, retryAt: nil) }
    let last = try #require(try await lease(at: Sample.now + .seconds(5)))
    try await store.finish(last, retryAt: nil)
  },
  StoreBehaviour("a long backlog of a webhook is leased in its order, one call at a time") {
    store in
    let fixture = try await StoreFixture(store, "backlog")
    for event in ["long", "short"] {
      try await store.add(
        Webhook(
          id: "backlog-" + event, app: fixture.app, url: "https://e.x", events: [event],
          sealedSecret: [], createdAt: Sample.now))
    }
    let count = 200
    func enqueue(_ event: String, _ number: Int, at time: Timestamp) async throws {
      try await store.enqueue(
        WebhookNotice(app: fixture.app, event: event, data: .string("\(number)"), at: time))
    }
    for number in 0..<count {
      // Of two calls that are due at the same time the one that was added first is made first.
      try await enqueue("long", number, at: Sample.now + .seconds(number / 2))
    }
    for number in 0..<3 { try await enqueue("short", number, at: Sample.now + .seconds(1)) }
    let now = Sample.now + .seconds(count)
    func lease(by owner: String = "a", at time: Timestamp) async throws -> WebhookCall? {
      try await store.leaseWebhookCall(owner: owner, at: time, until: time + .seconds(60))
    }
    let lapsed = try #require(try await lease(by: "gone", at: now))
    #expect(lapsed.webhook.id == "backlog-long" && lapsed.body["data"] == "0")
    let other = try #require(try await lease(at: now))
    #expect(other.webhook.id == "backlog-short" && other.body["data"] == "0")
    #expect(try await lease(at: now) == nil)
    try await store.finish(other, retryAt: nil)
    // The call of the owner that is gone is due since its lease has lapsed, after all others.
    var made: [String: [String]] = [:]
    while let first = try await lease(at: now + .seconds(60)) {
      let second = try await lease(at: now + .seconds(60))
      #expect(second?.webhook.id != first.webhook.id)
      for call in [first, second].compactMap(\.self) {
        made[call.webhook.id, default: []].append(call.body["data"]?.string ?? "")
        try await store.finish(call, retryAt: nil)
      }
    }
    #expect(made["backlog-long"] == (1..<count).map { "\($0)" } + ["0"])
    #expect(made["backlog-short"] == ["1", "2"])
  },
  StoreBehaviour("workers that ask at once get one call of each webhook") { store in
    let fixture = try await StoreFixture(store, "at-once")
    try await store.add(
      Webhook(
        id: "once", app: fixture.app, url: "https://e.x", events: ["made"], sealedSecret: [],
        createdAt: Sample.now))
    for _ in 0..<20 {
      _ = try await store.enqueue(
        WebhookNotice(app: fixture.app, event: "made", data: [:], at: Sample.now))
    }
    for _ in 0..<5 {
      let leased = try await withThrowingTaskGroup(of: WebhookCall?.self) { group in
        for worker in 0..<8 {
          group.addTask {
            try await store.leaseWebhookCall(
              owner: "\(worker)", at: Sample.now, until: Sample.now + .seconds(60))
          }
        }
        return try await group.reduce(into: [WebhookCall]()) { calls, call in
          if let call { calls.append(call) }
        }
      }
      #expect(leased.count == 1)
      for call in leased { try await store.finish(call, retryAt: nil) }
    }
    #expect(try await store.deleteWebhook("once", app: fixture.app))
  },
  StoreBehaviour("calls that were never made are removed after 36 hours") { store in
    let fixture = try await StoreFixture(store, "never-called")
    try await store.add(
      Webhook(
        id: "hangs", app: fixture.app, url: "https://e.x", events: ["made"], sealedSecret: [],
        createdAt: Sample.now))
    for minute in 0..<3 {
      _ = try await store.enqueue(
        WebhookNotice(
          app: fixture.app, event: "made", data: [:], at: Sample.now + .seconds(60 * minute)))
    }
    func left(after time: Duration) async throws -> Int? {
      while try await store.removeOutdated(Retention(), at: Sample.now + time, limit: 1) {}
      let backlog = try await store.backlog(ofWebhook: "hangs", app: fixture.app)
      return backlog?.count
    }
    #expect(try await left(after: WebhookCall.kept) == 3)
    #expect(try await left(after: WebhookCall.kept + .seconds(60)) == 2)
    #expect(try await left(after: .days(2)) == nil)
  },
  StoreBehaviour("a webhook with many due calls does not delay another app's webhook") { store in
    let apps = ["talkative", "terse"]
    for app in apps {
      let fixture = try await StoreFixture(store, app)
      try await store.add(
        Webhook(
          id: app, app: fixture.app, url: "https://e.x", events: ["made"], sealedSecret: [],
          createdAt: Sample.now))
    }
    for _ in 0..<100 {
      _ = try await store.enqueue(
        WebhookNotice(app: apps[0], event: "made", data: [:], at: Sample.now))
    }
    let now = Sample.now + .seconds(1)
    _ = try await store.enqueue(WebhookNotice(app: apps[1], event: "made", data: [:], at: now))
    var leased: [String] = []
    while let call = try await store.leaseWebhookCall(
      owner: "a", at: now, until: now + .seconds(60))
    {
      leased.append(call.webhook.app)
    }
    #expect(leased == apps)
    for app in apps { try await store.deleteWebhook(app, app: app) }
  },
  StoreBehaviour("a change is recorded in the audit log and for webhooks, in its transaction") {
    store in
    let fixture = try await StoreFixture(store, "traced")
    try await fixture.register(1)
    try await store.add(
      Webhook(
        id: "traced", app: fixture.app, url: "https://e.x", events: ["made"], sealedSecret: [],
        createdAt: Sample.now))
    func entry(_ action: String) -> AuditEntry {
      AuditEntry(
        app: fixture.app, key: "k", action: action, object: nil, address: nil, at: Sample.now)
    }
    func recorded(_ action: String) -> any PushStore {
      store.recording(
        ChangeRecord(
          entry(action),
          notice: WebhookNotice(
            app: fixture.app, event: "made", data: .string(action), at: Sample.now))
      )
    }
    var send = Sample.send("traced", app: fixture.app, audience: "traced")
    send.idempotencyKey = "once"
    let segment = Segment(dueAt: Sample.now, devices: DeviceNumbers([1]))
    let audience = Sample.audience("traced", app: fixture.app)
    for id in ["traced", "again"] {
      send.id = id
      send.messageID = "m-" + id
      // The second request repeats the idempotency key, and changes nothing.
      _ = try await recorded("accept").accept(send, to: audience, segments: [segment])
    }
    #expect(try await recorded("absent").deleteAudience("absent", app: fixture.app) == false)
    await expect(.conflict) { try await recorded("taken").add(Sample.app(fixture.app), keys: []) }
    let order = try await recorded("cancel").order(
      .cancel, send: "traced", app: fixture.app, at: Sample.now)
    #expect(order?.state == .canceled)
    let log = try await store.audit(app: fixture.app, after: nil, limit: 10)
    #expect(log.elements == [entry("cancel"), entry("accept")])
    var heard: [JSONValue?] = []
    while let call = try await store.leaseWebhookCall(
      owner: "a", at: Sample.now, until: Sample.now + .seconds(5))
    {
      heard.append(call.body["data"])
      try await store.finish(call, retryAt: nil)
    }
    #expect(heard == ["accept", "cancel"])
  },
  StoreBehaviour("webhooks get the start of a send, each pause and its end, once each") {
    store in
    let fixture = try await StoreFixture(store, "states")
    try await fixture.register(Batch.limit + 500)
    let states = ["sending", "paused", "complete", "canceled", "failed"]
    try await store.add(
      Webhook(
        id: "states", app: fixture.app, url: "https://e.x",
        events: states.map { "notification." + $0 }, sealedSecret: [], createdAt: Sample.now))
    try await fixture.accept("n1")
    let batch = try #require(try await fixture.lease())
    #expect(batch.send.id == "n1")
    func order(_ order: SendLifecycle.Order, _ send: String = "n1") async throws {
      _ = try await store.order(order, send: send, app: fixture.app, at: Sample.now)
    }
    try await order(.alarm("too many gone"))
    try await fixture.finish(batch)
    try await order(.resume)
    try await fixture.drain()
    try await fixture.accept("n2")
    try await order(.cancel, "n2")
    try await fixture.accept("n3")
    try await order(.fail("no text"), "n3")
    var heard: [String] = []
    while let call = try await store.leaseWebhookCall(
      owner: "a", at: Sample.now, until: Sample.now + .seconds(5))
    {
      let data = call.body["data"]
      heard.append("\(data?["id"]?.string ?? "") \(call.event) \(data?["reason"]?.string ?? "-")")
      try await store.finish(call, retryAt: nil)
    }
    #expect(
      heard == [
        "n1 notification.sending -", "n1 notification.paused too many gone",
        "n1 notification.complete -", "n2 notification.canceled -",
        "n3 notification.failed no text",
      ])
  },
  StoreBehaviour("webhooks get the devices that a send marked as gone, once") { store in
    let fixture = try await StoreFixture(store, "gone")
    try await fixture.register(3)
    try await fixture.update("gone-1") { $0.userID = .set("u") }
    try await store.add(
      Webhook(
        id: "gone", app: fixture.app, url: "https://e.x", events: ["device.uninstalled"],
        sealedSecret: [], createdAt: Sample.now))
    try await fixture.accept("gone")
    let batch = try #require(try await fixture.lease())
    let outcomes = batch.targets.map { target in
      StoreFixture.outcome(target, target.id == "gone-1" ? .uninstalled : .sent)
    }
    for _ in 0..<2 { try await fixture.finish(batch, outcomes) }
    let call = try #require(
      try await store.leaseWebhookCall(
        owner: "a", at: Sample.now, until: Sample.now + .seconds(5)))
    #expect(
      call.body["data"] == [
        "notification_id": "gone",
        "devices": [
          ["id": "gone-1", "user_id": "u", "uninstalled_at": .string(Sample.now.iso8601)]
        ],
      ])
    try await store.finish(call, retryAt: nil)
    #expect(
      try await store.leaseWebhookCall(
        owner: "a", at: Sample.now, until: Sample.now + .seconds(5)) == nil)
  },
]

extension PushStore {
  /// Finishes a call at ``Sample/now``.
  func finish(_ call: WebhookCall, retryAt: Timestamp?) async throws(StoreError) {
    try await finish(call, retryAt: retryAt, at: Sample.now)
  }
}

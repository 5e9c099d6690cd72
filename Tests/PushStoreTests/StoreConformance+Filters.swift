import PushPayload
import PushStore
import Testing

/// Every kind of filter, as the set of devices it selects.
func filters(_ store: any PushStore) async throws {
  let app = "filters"
  try await store.add(Sample.app(app), keys: [])
  let devices: [(String, (inout DevicePatch) -> Void)] = [
    (
      "a",
      {
        $0.tags = .set(["news", "sport"])
        $0.userID = .set("ann")
        $0.isDevelopment = .set(true)
        $0.locale = .set("en_US")
        $0.badge = .set(3)
        $0.attributes = [
          "color": Attribute(kind: .string, value: ["red", "blue"]),
          "age": Attribute(kind: .integer, value: 30),
          "score": Attribute(kind: .float, value: 1.5),
          "vip": Attribute(kind: .boolean, value: true),
          "born": Attribute(kind: .date, value: "2000-01-01T00:00:00.000Z"),
        ]
      }
    ),
    (
      "b",
      {
        $0.tags = .set(["news"])
        $0.userID = .set("bob")
        $0.attributes = [
          "color": Attribute(kind: .string, value: "green"),
          "age": Attribute(kind: .integer, value: 40),
          "score": Attribute(kind: .float, value: 2),
          "vip": Attribute(kind: .boolean, value: false),
          "born": Attribute(kind: .date, value: "2010-06-01T12:00:00.000Z"),
        ]
      }
    ),
    // One that has nothing, and one with the same name as another kind.
    ("c", { _ in }),
    ("d", { $0.attributes = ["color": Attribute(kind: .integer, value: 1)] }),
    // Never selected: no push, no token, other platform.
    ("e", { $0.isPushEnabled = .set(false) }),
    ("f", { $0.token = .set(nil) }),
    ("g", { $0.platform = .set("Android") }),
  ]
  for (number, (id, edit)) in devices.enumerated() {
    _ = try await store.update(
      device: id, app: app, Sample.patch(token: "0\(number)", edit),
      at: Sample.now + .seconds(number))
  }

  let table: [(String, [Filter], String)] = [
    ("everyone", [], "abcd"),
    ("tag", [filter("tags", "news")], "ab"),
    ("either tag", [filter("tags", "sport", "none")], "a"),
    ("not tag", [not("tags", "sport")], "bcd"),
    ("user", [filter("user_id", "ann", "bob")], "ab"),
    ("not user", [not("user_id", "ann")], "bcd"),
    ("device", [filter("device_id", "c")], "c"),
    ("development", [filter("development", true)], "a"),
    ("not development", [not("development", true)], "bcd"),
    ("production", [filter("development", false)], "bcd"),
    ("locale, whatever its spelling", [filter("locale", "en-us")], "a"),
    ("badge", [range("badge", (.gte, 3))], "a"),
    ("created", [range("created_at", (.gt, .string(Sample.now.iso8601)))], "bcd"),
    ("string", [filter("custom.string.color", "green")], "b"),
    ("an element of an array", [filter("custom.string.color", "blue")], "a"),
    ("not string", [not("custom.string.color", "blue")], "bcd"),
    ("integer", [filter("custom.integer.age", 40)], "b"),
    ("integer of the same name", [filter("custom.integer.color", 1)], "d"),
    ("greater", [range("custom.integer.age", (.gt, 30))], "b"),
    ("at least", [range("custom.integer.age", (.gte, 30))], "ab"),
    ("less", [range("custom.integer.age", (.lt, 40))], "a"),
    ("at most", [range("custom.integer.age", (.lte, 40))], "ab"),
    ("between", [range("custom.integer.age", (.gt, 29), (.lt, 31))], "a"),
    ("not between", [not(range("custom.integer.age", (.gt, 29), (.lt, 31)))], "bcd"),
    ("float", [filter("custom.float.score", 1.5)], "a"),
    ("a whole float", [filter("custom.float.score", 2)], "b"),
    ("float range", [range("custom.float.score", (.gt, 1.4), (.lte, 2))], "ab"),
    ("true", [filter("custom.boolean.vip", true)], "a"),
    ("false", [filter("custom.boolean.vip", false)], "b"),
    ("not true", [not("custom.boolean.vip", true)], "bcd"),
    ("date", [filter("custom.date.born", "2000-01-01T00:00:00.000Z")], "a"),
    ("date range", [range("custom.date.born", (.gte, "2001-01-01T00:00:00.000Z"))], "b"),
    ("two filters", [filter("tags", "news"), filter("custom.boolean.vip", false)], "b"),
    ("filters nobody passes", [filter("tags", "news"), filter("device_id", "c")], ""),
    ("a name with a dot and a quote's look-alike", [filter("custom.string.a.b'c", "x")], ""),
  ]
  for (name, filters, expected) in table {
    let audience = Sample.audience("audience \(name)", app: app, filters)
    let send = try await store.accept(
      Sample.send("send \(name)", app: app, audience: audience.id), to: audience)
    #expect(send.counts.targeted == expected.count, "\(name)")
    // What was stored selects alike.
    #expect(try await store.audience(audience.id, app: app)?.filters == filters, "\(name)")
    guard !expected.isEmpty else { continue }
    let batch = try #require(
      try await store.leaseBatch(owner: "a", at: Sample.now, until: Sample.now + .seconds(60)))
    #expect(batch.targets.map(\.id).joined() == expected, "\(name)")
    let outcomes = batch.targets.map {
      Outcome(
        device: $0.number, result: .sent, status: 200, reason: nil, apnsID: "", time: Sample.now,
        token: nil)
    }
    try await store.finish(batch, outcomes: outcomes, retryAt: Sample.now, at: Sample.now)
  }
}

private func filter(_ name: String, _ values: JSONValue...) -> Filter {
  make(name, values.map { .equals($0) })
}

private func not(_ name: String, _ values: JSONValue...) -> Filter {
  not(make(name, values.map { .equals($0) }))
}

private func not(_ filter: Filter) -> Filter {
  Filter(field: filter.field, criteria: filter.criteria, isNegated: true)
}

private func range(_ name: String, _ bounds: (Filter.Bound.Comparison, JSONValue)...) -> Filter {
  make(name, [.range(bounds.map { Filter.Bound($0.0, $0.1) })])
}

private func make(_ name: String, _ criteria: [Filter.Criterion]) -> Filter {
  Filter(field: Filter.Field(apiName: name) ?? .builtIn(.tags), criteria: criteria)
}

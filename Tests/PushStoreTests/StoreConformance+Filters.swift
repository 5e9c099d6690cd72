import PushPayload
import PushStore
import Testing

let filterBehaviours = [
  StoreBehaviour("every kind of filter selects its devices", filters),
  StoreBehaviour("audiences with a name are kept, listed, changed and deleted", audiences),
]

/// Every kind of filter, as the set of devices it selects.
private func filters(_ store: any PushStore) async throws {
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
    let numbers = try await store.devices(of: audience)
    let selected = try await store.devices(app: app, numbers: numbers)
    #expect(selected.map(\.id).joined() == expected, "\(name)")
    // What was stored selects alike.
    try await store.save(audience)
    #expect(try await store.audience(audience.id, app: app)?.filters == filters, "\(name)")
  }
}

private func audiences(_ store: any PushStore) async throws {
  let world = try await StoreWorld(store, "audiences")
  for number in 0..<3 {
    var audience = Sample.audience("a\(number)", app: world.app)
    audience.name = "Audience \(number)"
    audience.isTest = number == 1
    try await store.save(audience)
  }
  // One that a send made on the fly is not listed.
  try await world.accept("fly")
  let first = try await store.audiences(app: world.app, after: nil, limit: 2)
  #expect(first.elements.map(\.id) == ["a2", "a1"])
  #expect(first.elements.map(\.isTest) == [false, true])
  #expect(first.total == 3)
  let rest = try await store.audiences(app: world.app, after: first.cursor, limit: 2)
  #expect(rest.elements.map(\.id) == ["a0"])
  #expect(rest.cursor == nil)
  await expect(.expiredCursor) {
    _ = try await store.audiences(app: world.app, after: "none", limit: 2)
  }

  var changed = try #require(rest.elements.first)
  changed.name = "Another"
  changed.filters = [filter("tags", "news")]
  changed.updatedAt = Sample.now + .seconds(1)
  try await store.save(changed)
  #expect(try await store.audience("a0", app: world.app) == changed)
  await expect(.conflict) { try await store.save(Sample.audience("a0", app: "filters")) }
  #expect(try await store.deleteAudience("a0", app: "none") == false)
  #expect(try await store.deleteAudience("a0", app: world.app))
  #expect(try await store.audience("a0", app: world.app) == nil)
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

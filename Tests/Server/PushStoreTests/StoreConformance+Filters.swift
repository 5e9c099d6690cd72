import PushModel
import PushPayload
import Testing

let filterBehaviours = [
  StoreBehaviour("every kind of filter is stored and read", filters),
  StoreBehaviour("audiences with a name are stored, listed, changed and deleted", audiences),
]

/// Every kind of filter and criterion.
private func filters(_ store: any PushStore) async throws {
  let app = "filters"
  try await store.add(Sample.app(app), keys: [])
  let table: [[Filter]] = [
    [],
    [filter("tags", "news", "sport"), not("custom.boolean.vip", false)],
    [filter("events.video plays", 3), filter("badge", 0)],
    [range("custom.integer.age", (.gt, 29), (.lt, 31)), filter("custom.integer.age", 40)],
    [range("custom.float.score", (.gte, 1.5), (.lte, 2))],
    [filter("custom.date.born", "2000-01-01T00:00:00.000Z"), range("last_opened", (.gt, "-7d"))],
    [range("app_version", (.gte, "1.10"))],
    [filter("custom.string.a.b'c", "x")],
    [make("location", [.within(Filter.Circle(latitude: -41.1, longitude: 174, radius: 0.5))])],
  ]
  for (number, filters) in table.enumerated() {
    let audience = Sample.audience("filters-\(number)", app: app, filters)
    try await store.save(audience)
    #expect(try await store.audience(audience.id, app: app)?.filters == filters)
  }
}

private func audiences(_ store: any PushStore) async throws {
  let fixture = try await StoreFixture(store, "audiences")
  for number in 0..<3 {
    var audience = Sample.audience("a\(number)", app: fixture.app)
    audience.name = "Audience \(number)"
    audience.isTest = number == 1
    try await store.save(audience)
  }
  // An audience that was made for one send is not listed.
  try await fixture.accept("fly")
  let first = try await store.audiences(app: fixture.app, after: nil, limit: 2)
  #expect(first.elements.map(\.id) == ["a2", "a1"])
  #expect(first.elements.map(\.isTest) == [false, true])
  #expect(first.total == 3)
  let rest = try await store.audiences(app: fixture.app, after: first.cursor, limit: 2)
  #expect(rest.elements.map(\.id) == ["a0"])
  #expect(rest.cursor == nil)
  await expect(.expiredCursor) {
    _ = try await store.audiences(app: fixture.app, after: "none", limit: 2)
  }

  var changed = try #require(rest.elements.first)
  changed.name = "Another"
  changed.filters = [filter("tags", "news")]
  changed.updatedAt = Sample.now + .seconds(1)
  try await store.save(changed)
  #expect(try await store.audience("a0", app: fixture.app) == changed)
  // Another app may have an audience with the same id.
  let other = try await StoreFixture(store, "audiences of another")
  try await store.save(Sample.audience("a0", app: other.app))
  #expect(try await store.audience("a0", app: fixture.app) == changed)
  #expect(try await store.deleteAudience("a0", app: other.app))
  #expect(try await store.deleteAudience("a0", app: "none") == false)
  #expect(try await store.deleteAudience("a0", app: fixture.app))
  #expect(try await store.audience("a0", app: fixture.app) == nil)
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

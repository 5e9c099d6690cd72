import PushPayload
import PushStore

/// The devices of an app that tests go to: an audience like any other, which devices' pages fill.
enum TestDevices {
  /// As many as a filter's criteria.
  static let most = 1000
  private static let name = "Test devices"

  /// The ids, in the order in which they came; none where the app has no test devices.
  static func ids(app: String, _ store: any PushStore) async throws -> [String] {
    try await audience(app: app, store).map(ids) ?? []
  }

  /// Makes a device one of them, or no longer one.
  ///
  /// - Throws: ``APIError`` 422 where there are as many as there may be.
  static func set(_ device: Device, isTest: Bool, _ visit: Visit) async throws {
    let (store, app) = (visit.api.store, visit.app.id)
    let old = try await audience(app: app, store)
    var ids = old.map(ids) ?? []
    guard ids.contains(device.id) != isTest else { return }
    if isTest { ids.append(device.id) } else { ids.removeAll { $0 == device.id } }
    guard ids.count <= most else {
      throw APIError(422, "\(most) devices are for tests already; take one of them out first")
    }
    let id = Identifiers.testDevices(in: app)
    let call = visit.apiCall("PUT", "/v6/audiences/\(id)")
    guard !ids.isEmpty else {
      _ = try await visit.api.store(for: call, "audience.delete", id).deleteAudience(id, app: app)
      return
    }
    var audience = old ?? Audience(id: id, app: app, filters: [], createdAt: visit.now)
    if old == nil { (audience.name, audience.isTest) = (name, true) }
    // Somebody may have added other filters to it.
    audience.filters.removeAll(where: isList)
    audience.filters.append(
      Filter(field: .builtIn(.deviceID), criteria: ids.map { .equals(.string($0)) }))
    audience.updatedAt = visit.now
    let action = old == nil ? "audience.create" : "audience.update"
    try await visit.api.store(for: call, action, id).save(audience)
  }

  private static func audience(app: String, _ store: any PushStore) async throws -> Audience? {
    try await store.audience(Identifiers.testDevices(in: app), app: app)
  }

  private static func isList(_ filter: Filter) -> Bool {
    filter.field == .builtIn(.deviceID) && !filter.isNegated
  }

  private static func ids(_ audience: Audience) -> [String] {
    audience.filters.filter(isList).flatMap(\.criteria).compactMap { criterion in
      guard case .equals(let id) = criterion else { return nil }
      return id.string
    }
  }
}

import PushPayload
import PushStore

/// The test devices of an app: an audience whose members are chosen on the pages of devices.
enum TestDevices {
  /// The largest number of test devices in an app: the limit of criteria in a filter.
  static let limit = 1000
  private static let name = "Test devices"

  /// The device IDs in the order in which they were added.
  static func ids(app: String, _ store: any PushStore) async throws -> [String] {
    try await audience(app: app, store).map(ids) ?? []
  }

  /// Adds a device to the test devices, or removes it.
  ///
  /// - Throws: ``RequestError`` `.invalid` if the app already has ``limit`` test devices.
  static func set(_ device: Device, isTest: Bool, _ request: PageRequest) async throws {
    let (store, app) = (request.api.store, request.app.id)
    let old = try await audience(app: app, store)
    var ids = old.map(ids) ?? []
    guard ids.contains(device.id) != isTest else { return }
    if isTest { ids.append(device.id) } else { ids.removeAll { $0 == device.id } }
    guard ids.count <= limit else {
      throw RequestError(.invalid, "the app has \(limit) test devices already; remove one first")
    }
    let id = Identifiers.testDevices(in: app)
    guard !ids.isEmpty else {
      _ = try await request.actions.store(for: request.actor, "audience.delete", id).deleteAudience(
        id, app: app)
      return
    }
    var audience = old ?? Audience(id: id, app: app, filters: [], createdAt: request.now)
    if old == nil { (audience.name, audience.isTest) = (name, true) }
    // A user may have added other filters to the audience.
    audience.filters.removeAll(where: isList)
    audience.filters.append(
      Filter(field: .builtIn(.deviceID), criteria: ids.map { .equals(.string($0)) }))
    audience.updatedAt = request.now
    let action = old == nil ? "audience.create" : "audience.update"
    try await request.actions.store(for: request.actor, action, id).save(audience)
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

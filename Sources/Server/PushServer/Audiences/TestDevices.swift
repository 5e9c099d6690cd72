import PushModel
import PushPayload

/// The test devices of an app: an audience whose members are chosen on the pages of devices.
enum TestDevices {
  /// The largest number of test devices in an app: the limit of criteria in a filter.
  static let limit = 1000
  private static let name = "Test devices"

  /// The device IDs in the order in which they were added.
  static func ids(app: String, _ store: any PushStore) async throws -> [String] {
    try await audience(app: app, store).map(ids) ?? []
  }

  static func audience(app: String, _ store: any PushStore) async throws -> Audience? {
    try await store.audience(Identifiers.testDevices(in: app), app: app)
  }

  /// The audience with test devices, which keeps the other filters that a user may have added to it.
  static func audience(
    of ids: [String], changing old: Audience?, app: String, at now: Timestamp
  ) -> Audience {
    var audience =
      old ?? Audience(id: Identifiers.testDevices(in: app), app: app, filters: [], createdAt: now)
    if old == nil { (audience.name, audience.isTest) = (name, true) }
    audience.filters.removeAll(where: isList)
    audience.filters.append(
      Filter(field: .builtIn(.deviceID), criteria: ids.map { .equals(.string($0)) }))
    audience.updatedAt = now
    return audience
  }

  private static func isList(_ filter: Filter) -> Bool {
    filter.field == .builtIn(.deviceID) && !filter.isNegated
  }

  static func ids(_ audience: Audience) -> [String] {
    audience.filters.filter(isList).flatMap(\.criteria).compactMap { criterion in
      guard case .equals(let id) = criterion else { return nil }
      return id.string
    }
  }
}

package import PushModel
package import _Bitmaps

/// An audience with everything that it refers to, in the form by which an index selects devices.
package struct DeviceQuery: Sendable {
  /// A set of devices that a query includes or leaves out.
  package enum Part: Sendable {
    indirect case query(DeviceQuery)
    case devices(Bitmap)
  }

  /// The filters, which must all match.
  package var filters: [Filter]
  /// The parts, at least one of which must have the device; empty is no condition.
  package var any: [Part] = []
  /// The parts whose devices are excluded.
  package var except: [Part] = []

  package init(_ filters: [Filter] = []) { self.filters = filters }
}

extension AudienceIndex {
  /// Returns the devices among `devices` that a query selects.
  package func devices(
    passing query: DeviceQuery, at now: Timestamp, among devices: Bitmap
  ) -> Bitmap {
    var passing = self.devices(passing: query.filters, at: now, among: devices)
    if !query.any.isEmpty {
      passing = query.any.reduce(into: Bitmap()) { found, part in
        found.formUnion(self.devices(in: part, at: now, among: passing))
      }
    }
    for part in query.except where !passing.isEmpty {
      passing.subtract(self.devices(in: part, at: now, among: passing))
    }
    return passing
  }

  private func devices(
    in part: DeviceQuery.Part, at now: Timestamp, among devices: Bitmap
  ) -> Bitmap {
    switch part {
    case .query(let query): self.devices(passing: query, at: now, among: devices)
    case .devices(let part): devices & part
    }
  }
}

/// A reader of the audiences and sends that an audience refers to.
struct AudienceReferences {
  /// The most audiences and sends that an audience refers to, directly and indirectly.
  static let limit = 100
  /// The most audiences that refer to each other in a chain.
  static let depth = 5

  private let store: (any PushStore)?
  private var audiences: [String: Audience] = [:]
  private var count = 0

  /// `store` has the audiences and sends; `nil` finds none.
  init(_ store: (any PushStore)?) { self.store = store }

  /// Reads an audience with everything that it refers to.
  ///
  /// - Throws: ``StoreError/Code/conflict`` if it refers to something that was removed, to too
  ///   much, or to itself.
  mutating func query(
    of audience: Audience, depth: Int = 0
  ) async throws(StoreError) -> DeviceQuery {
    // An audience that is being changed is used in its new form.
    if depth == 0, !audience.id.isEmpty { audiences[audience.id] = audience }
    guard depth < Self.depth else {
      throw StoreError(
        .conflict,
        "the audience refers to itself, or through more than \(Self.depth) audiences; name its"
          + " filters instead")
    }
    var query = DeviceQuery(audience.filters)
    for part in audience.any {
      query.any.append(try await read(part, of: audience, depth: depth))
    }
    for part in audience.except {
      query.except.append(try await read(part, of: audience, depth: depth))
    }
    return query
  }

  private mutating func read(
    _ part: Audience.Part, of owner: Audience, depth: Int
  ) async throws(StoreError) -> DeviceQuery.Part {
    if case .filters(let filters) = part { return .query(DeviceQuery(filters)) }
    count += 1
    guard count <= Self.limit else {
      throw StoreError(
        .conflict,
        "the audience refers to more than \(Self.limit) audiences and notifications in all")
    }
    switch part {
    case .filters(let filters): return .query(DeviceQuery(filters))
    case .audience(let id):
      if audiences[id] == nil { audiences[id] = try await store?.audience(id, app: owner.app) }
      guard let other = audiences[id] else {
        throw StoreError(
          .conflict, "the audience refers to the audience \(id), which was deleted; remove it there"
        )
      }
      return .query(try await query(of: other, depth: depth + 1))
    case .received(let send, let opened):
      guard let devices = try await store?.received(send, app: owner.app, opened: opened) else {
        throw StoreError(
          .conflict, "the audience refers to the notification \(send), which this app does not have"
        )
      }
      return .devices(devices.bitmap)
    }
  }
}

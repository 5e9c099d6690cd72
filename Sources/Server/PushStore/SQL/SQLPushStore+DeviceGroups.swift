import PushModel

extension SQLPushStore {
  /// Commits changes of an app's devices in one transaction, and returns an outcome for each change.
  func commit(
    _ changes: [DeviceChange], app id: String
  ) async throws(StoreError) -> [Result<[Device], StoreError>] {
    try await write { [groups] db in try Self.store(changes, app: id, groups: groups, db) }
  }

  /// Stores changes of an app's devices in the transaction of a connection.
  static func store(
    _ changes: [DeviceChange], app id: String, groups: WriteGroups, _ db: any SQLConnection
  ) throws -> [Result<[Device], StoreError>] {
    try db.planForSize()
    if let app = groups.number(ofApp: id) { try fetchAhead(changes, app: app, id: id, db) }
    guard let app = try lockedNumber(of: id, db) else {
      return changes.map { $0.user == nil ? .failure(noApp(id)) : .success([]) }
    }
    groups.note(app, ofApp: id)
    let outcomes = try apply(changes, app: app, db)
    for (change, outcome) in zip(changes, outcomes) {
      guard let record = change.record, case .success(let devices) = outcome, !devices.isEmpty
      else { continue }
      try append(record, db)
    }
    return outcomes
  }

  /// Locks the row of an app and runs the queries for its changes, in one round trip.
  ///
  /// `app` is the last known number of the app. If the number has changed, the queries run again with the new one.
  private static func fetchAhead(
    _ changes: [DeviceChange], app: Int64, id: String, _ db: any SQLConnection
  ) throws {
    try db.fetchAhead(lockingQuery(app: id, db.dialect))
    try db.fetchAhead(lastNumberQuery(app: app, db.dialect))
    try db.fetchAhead(lastChangeQuery(app: app))
    let ids = changes.compactMap(\.device)
    guard !ids.isEmpty else { return }
    try db.fetchAhead(query(with: .id, among: ids, app: app, db.dialect))
  }

  /// Applies changes to the devices of an app whose row is locked.
  ///
  /// The devices of the changes are read together, changed in memory in the order of the changes, and written
  /// together.
  static func apply(
    _ changes: [DeviceChange], app: Int64, _ db: any SQLConnection
  ) throws -> [Result<[Device], StoreError>] {
    var known = try devices(with: .id, among: changes.compactMap(\.device), app: app, db)
    // A device nearly always registers the token that it already has.
    let tokens = Set(changes.compactMap(\.token)).subtracting(known.compactMap(\.token))
    known += try devices(with: .token, among: Array(tokens), app: app, db)
    known += try devices(with: .user, among: changes.compactMap(\.user), app: app, db)
    let ids = Set(known.map(\.id))
    let hasNew = changes.contains { $0.device.map { !ids.contains($0) } ?? false }
    var group = DeviceGroup(known, last: hasNew ? try lastNumber(app: app, db) : 0)
    let outcomes = changes.map { group.apply($0) }
    for device in group.released {
      try db.queue(
        "UPDATE devices SET token = NULL WHERE \(DeviceKeys(app: app).isDevice(device.number))")
    }
    try save(updated: group.updated, added: group.added, app: app, db)
    try log(group.log, app: app, db)
    let hours = Dictionary(grouping: group.installs) { $0.milliseconds / 3_600_000 }
    for (_, times) in hours.sorted(by: { $0.key < $1.key }) {
      guard let time = times.first else { continue }
      try count(.installs, by: times.count, app: app, at: time, db)
    }
    return outcomes
  }

  /// The devices with one of some values in a column.
  static func devices(
    with column: DeviceColumn, among values: [String], app: Int64, _ db: any SQLConnection
  ) throws -> [Device] {
    guard !values.isEmpty else { return [] }
    return try db.rows(
      query(with: column, among: values, app: app, db.dialect), map: Device.init(row:))
  }

  /// The query of ``devices(with:among:app:_:)``.
  private static func query(
    with column: DeviceColumn, among values: [String], app: Int64, _ dialect: SQLDialect
  ) -> SQL {
    if values.count == 1 {
      return """
        SELECT \(Device.columns) FROM devices
        WHERE app = \(app) AND \(raw: column.rawValue) = \(values[0])
        """
    }
    return Device.query(by: column, among: Set(values).sorted(), app: app, dialect)
  }

  /// Writes changed devices and then new ones, which already have numbers, because a new device may have the old
  /// token of a changed one.
  static func save(
    updated: [Device], added: [Device], app: Int64, _ db: any SQLConnection
  ) throws {
    guard db.dialect.hasArrays else {
      for device in updated { try db.queue(device.update(app: app)) }
      for device in added { try db.queue(device.insert(app: app)) }
      return
    }
    if !updated.isEmpty { try db.queue(Device.updateAll(updated, app: app)) }
    if !added.isEmpty { try db.queue(Device.insertAll(added, app: app)) }
  }
}

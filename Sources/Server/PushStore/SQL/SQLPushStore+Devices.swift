import PushModel
import PushPayload

extension SQLPushStore {
  package func device(_ id: String, app: String) async throws(StoreError) -> Device? {
    try await readFewRows { db in
      guard let app = try Self.number(of: app, db) else { return nil }
      return try Self.device(where: .id, is: id, app: app, db)
    }
  }

  package func update(
    device id: String, app: String, _ patch: DevicePatch, by caller: DeviceCaller, at now: Timestamp
  ) async throws(StoreError) -> Device {
    let change = DeviceChange(.update(device: id, patch, by: caller), at: now)
    guard let device = try await self.change(change, app: app).first else {
      throw Self.noApp(app)
    }
    return device
  }

  package func importDevices(
    _ all: [ImportedDevice], app: String, at now: Timestamp, after place: ImportPlace?,
    step: ImportStep?
  ) async throws(StoreError) -> StoredImport {
    guard !all.isEmpty else { return StoredImport(place: place) }
    let devices = all.filter { !$0.isNamed }
    return try await write { db in
      try db.planForSize()
      let app = try Self.requiredNumber(of: app, db)
      let isAlone = try Self.isAlone(after: place, app: app, db)
      var stored = StoredImport()
      let named = all.filter(\.isNamed)
      let owners = isAlone ? [:] : try Self.owners(ofTokens: named, app: app, db)
      stored.erased = try Self.merge(named, app: app, at: now, db)
      // A device that one of these lines names has the token of that line.
      let (names, erased) = (Set(named.map(\.id)), Set(stored.erased))
      stored.leftWithoutToken = named.compactMap { line in
        owners[line.token].flatMap { names.contains($0) || erased.contains(line.id) ? nil : $0 }
      }
      try Self.importUnnamed(devices, lookingUp: !isAlone, app: app, at: now, db)
      if let step {
        try Self.note(step, leaving: stored.leftWithoutToken.count, app: app, db)
      }
      if isAlone {
        stored.place = ImportPlace(app: app, lastChange: try Self.lastChange(app: app, db))
      }
      return stored
    }
  }

  /// Whether an app has only devices of the lines up to a place; `nil` is the beginning.
  private static func isAlone(
    after place: ImportPlace?, app: Int64, _ db: any SQLConnection
  ) throws -> Bool {
    guard let place else { return try lastNumber(app: app, db) == 0 }
    return try place == ImportPlace(app: app, lastChange: lastChange(app: app, db))
  }

  /// Stores lines that do not name their devices.
  ///
  /// If `isLookingUp` is `false`, no device has one of their tokens.
  private static func importUnnamed(
    _ lines: [ImportedDevice], lookingUp isLookingUp: Bool, app: Int64, at now: Timestamp,
    _ db: any SQLConnection
  ) throws {
    guard !lines.isEmpty else { return }
    // Everything that the inserts depend on is read once, before the first insert.
    let found =
      isLookingUp ? try devices(with: .token, among: lines.map(\.token), app: app, db) : []
    let known = Dictionary(
      found.compactMap { device in device.token.map { ($0, device) } }, uniquingKeysWith: { $1 })
    let last = try lastNumber(app: app, db)
    let added = lines.count - known.count
    guard added <= UInt32.max - last else { throw StoreError.full }
    let updated = lines.compactMap { line -> Device? in
      guard var device = known[line.token] else { return nil }
      device.apply(line, at: now)
      return device
    }
    try save(updated: updated, added: [], app: app, db)
    var number = last
    var rest = lines.makeIterator()
    try db.insert(into: "devices", columns: Device.columnNames) {
      while let line = rest.next() {
        guard known[line.token] == nil else { continue }
        number += 1
        var device = Device(id: line.id, createdAt: now)
        device.number = number
        device.apply(line, at: now)
        return device.values(app: app)
      }
      return nil
    }
    let new = (0..<UInt32(added)).map { last + $0 + 1 }
    try log(updated.map(\.number) + new, app: app, db)
  }

  /// The ids of the devices that have the tokens of some lines, by the token.
  private static func owners(
    ofTokens lines: [ImportedDevice], app: Int64, _ db: any SQLConnection
  ) throws -> [String: String] {
    guard !lines.isEmpty else { return [:] }
    let found = try devices(with: .token, among: lines.map(\.token), app: app, db)
    return Dictionary(
      found.compactMap { device in device.token.map { ($0, device.id) } }, uniquingKeysWith: { $1 })
  }

  /// Merges lines that name their devices, and returns the ids of erased devices.
  private static func merge(
    _ lines: [ImportedDevice], app: Int64, at now: Timestamp, _ db: any SQLConnection
  ) throws -> [String] {
    guard !lines.isEmpty else { return [] }
    let changes = lines.map { DeviceChange(.merge(device: $0.id, $0.tokenPatch), at: now) }
    let outcomes = try apply(changes, app: app, db)
    var erased: [String] = []
    for (line, outcome) in zip(lines, outcomes) {
      guard case .failure(let error) = outcome else { continue }
      guard error.code == .erased else { throw error }
      erased.append(line.id)
    }
    return erased
  }

  package func deviceCount(app: String) async throws(StoreError) -> Int {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return 0 }
      let keys = DeviceKeys(app: app)
      return try db.row(
        """
        SELECT count(*) AS count FROM devices
        WHERE \(db.dialect.unindexed)app = \(app) AND key BETWEEN \(keys.first) AND \(keys.last)
        AND erased_at IS NULL
        """
      ) { try $0.int("count") } ?? 0
    }
  }

  package func erase(
    device id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Device? {
    try await write { db in
      guard let app = try Self.lockedNumber(of: app, db),
        let old = try Self.device(where: .id, is: id, app: app, db)
      else { return nil }
      guard old.erasedAt == nil else { return old }
      var erased = old.erased(at: now)
      try Self.save(&erased, replacing: old, app: app, db)
      try InboxOwner.forget(old, app: app, db)
      for table in ["attributions", "event_ids"] {
        try db.queue("DELETE FROM \(raw: table) WHERE app = \(app) AND device = \(old.number)")
      }
      // On SQLite the message comes first in the key.
      try db.queue(
        """
        DELETE FROM impressions WHERE app = \(app) AND device = \(old.number)
        AND message IN (SELECT number FROM messages WHERE app = $1)
        """)
      try db.queue(
        """
        UPDATE devices SET open_hours = NULL WHERE \(db.dialect.unindexed)app = \(app)
        AND key = \(DeviceKeys(app: app).key(old.number))
        """)
      try Self.removeFurtherTokens(ofDevice: old.number, app: app, db)
      try Self.eraseLedger(ofDevice: old.number, app: app, at: now, db)
      try Self.removeEnrollments(of: old, app: app, db)
      return erased
    }
  }

  package func uninstalled(
    app: String, from: Timestamp, to: Timestamp, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<Device> {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return Page([], cursor: nil, total: 0) }
      // The cursor is the time and the key of the last device on the previous page.
      let parts = (cursor ?? "\(from.milliseconds)-0").split(separator: "-").map { Int64($0) }
      guard parts.count == 2, let time = parts[0], let key = parts[1] else {
        throw Self.expired(cursor ?? "")
      }
      let condition: SQL = "app = \(app) AND uninstalled_at BETWEEN \(from) AND \(to)"
      let rows = try db.rows(
        """
        SELECT \(Device.columns) FROM devices
        WHERE \(condition) AND (uninstalled_at, key) > (\(time), \(key))
        ORDER BY uninstalled_at, key LIMIT \(Int64(limit) + 1)
        """
      ) { try Device(row: &$0) }
      let total = try db.row("SELECT count(*) AS count FROM devices WHERE \(condition)") {
        try $0.int("count")
      }
      let shown = rows.prefix(limit)
      let next = shown.last.flatMap { last in
        last.uninstalledAt.map {
          "\($0.milliseconds)-\(DeviceKeys(app: app).key(of: last.number))"
        }
      }
      return Page(Array(shown), cursor: rows.count > limit ? next : nil, total: total ?? 0)
    }
  }

  // MARK: Rows

  /// The device of an app with an id or a token; `nil` if the app has no such device.
  static func device(
    where column: DeviceColumn, is value: String, app: Int64, _ db: any SQLConnection
  ) throws -> Device? {
    try db.row(
      """
      SELECT \(Device.columns) FROM devices WHERE app = \(app)
      AND \(raw: column.rawValue) = \(value)
      """, map: Device.init(row:))
  }

  static func erased(_ id: String) -> StoreError { .erased(id) }

  /// Writes a device and logs the change; a new device gets its number.
  ///
  /// `old` is the stored device; `nil` if the device is new.
  static func save(
    _ device: inout Device, replacing old: Device?, app: Int64, _ db: any SQLConnection
  ) throws {
    if let token = device.token, token != old?.token {
      // A token belongs to the device that registered it last.
      let keys = try db.rows(
        "SELECT key FROM devices WHERE app = \(app) AND token = \(token)"
      ) { try $0.integer("key") }
      for key in keys {
        try db.queue(
          "UPDATE devices SET token = NULL, token_at = NULL WHERE app = \(app) AND key = \(key)")
        try log(DeviceKeys.number(of: key), app: app, db)
      }
    }
    if old == nil { device.number = try number(after: lastNumber(app: app, db)) }
    try db.queue(old == nil ? device.insert(app: app) : device.update(app: app))
    try log(device.number, app: app, db)
  }

  /// The greatest number of an app's devices; 0 if the app has no devices.
  static func lastNumber(app: Int64, _ db: any SQLConnection) throws -> UInt32 {
    try db.row(lastNumberQuery(app: app, db.dialect)) {
      DeviceKeys.number(of: try $0.integer("key"))
    } ?? 0
  }

  /// The query of ``lastNumber(app:_:)``.
  static func lastNumberQuery(app: Int64, _ dialect: SQLDialect) -> SQL {
    let keys = DeviceKeys(app: app)
    return """
      SELECT key FROM devices
      WHERE \(dialect.unindexed)app = \(app) AND key BETWEEN \(keys.first) AND \(keys.last)
      ORDER BY key DESC LIMIT 1
      """
  }

  private static func number(after last: UInt32) throws -> UInt32 {
    guard last < .max else { throw StoreError.full }
    return last + 1
  }
}

extension ImportedDevice {
  /// The patch with the token of the line.
  fileprivate var tokenPatch: DevicePatch {
    var patch = patch
    patch.token = .set(token)
    patch.isImported = true
    return patch
  }
}

extension Device {
  fileprivate mutating func apply(_ imported: ImportedDevice, at now: Timestamp) {
    apply(imported.tokenPatch, at: now)
  }
}

/// A column by which devices are found.
enum DeviceColumn: String {
  case id, token
  case user = "user_id"
}

import PushModel
import PushPayload

extension SQLPushStore {
  package func devices(
    app: String, above number: UInt32?, limit: Int
  ) async throws(StoreError) -> [Device] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [] }
      let keys = DeviceKeys(app: app)
      return try db.rows(
        """
        SELECT \(Device.columns) FROM devices
        WHERE \(db.dialect.unindexed)app = \(app) AND key > \(keys.key(number ?? 0))
        AND key <= \(keys.last) ORDER BY key LIMIT \(limit)
        """, map: Device.init(row:))
    }
  }

  package func devices(
    app: String, numbers: DeviceNumbers
  ) async throws(StoreError) -> [Device] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [] }
      return try Self.rows(
        of: numbers, app: app, columns: Device.columns, db, map: Device.init(row:))
    }
  }

  package func deviceIDs(
    app: String, numbers: DeviceNumbers
  ) async throws(StoreError) -> [UInt32: String] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [:] }
      let rows = try Self.rows(of: numbers, app: app, columns: "key, id", db) { row in
        (DeviceKeys.number(of: try row.integer("key")), try row.text("id"))
      }
      return Dictionary(rows, uniquingKeysWith: { $1 })
    }
  }

  package func registeredTokens(
    among tokens: [String], app: String
  ) async throws(StoreError) -> Int {
    guard !tokens.isEmpty else { return 0 }
    return try await read { db in
      guard let app = try Self.number(of: app, db) else { return 0 }
      return try db.row(
        """
        SELECT count(*) AS count FROM devices WHERE app = \(app)
        AND token \(db.dialect.among(tokens))
        """
      ) { try $0.int("count") } ?? 0
    }
  }

  package func devices(
    app: String, tokenPrefix: String, limit: Int
  ) async throws(StoreError) -> [Device] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [] }
      // Tokens are hexadecimal, so those with the prefix sort before the prefix and `g`.
      return try db.rows(
        """
        SELECT \(Device.columns) FROM devices WHERE app = \(app) AND token >= \(tokenPrefix)
        AND token < \(tokenPrefix + "g")
        ORDER BY token LIMIT \(limit)
        """, map: Device.init(row:))
    }
  }

  package func lastChange(app: String) async throws(StoreError) -> Int64 {
    try await readFewRows { db in
      guard let app = try Self.number(of: app, db) else { return 0 }
      return try Self.lastChange(app: app, db)
    }
  }

  package func lastChanges() async throws(StoreError) -> [String: Int64] {
    try await read { db in
      let apps = try db.rows(
        """
        SELECT id, (
          SELECT sequence FROM changes WHERE changes.app = apps.number
          ORDER BY sequence DESC LIMIT 1) AS last
        FROM apps
        """
      ) { try ($0.text("id"), $0.optionalInteger("last") ?? 0) }
      return Dictionary(apps, uniquingKeysWith: max)
    }
  }

  package func changes(
    app: String, after sequence: Int64, limit: Int
  ) async throws(StoreError) -> DeviceChanges? {
    try await read { db in
      guard let app = try Self.number(of: app, db) else {
        return DeviceChanges(devices: DeviceNumbers(), last: sequence)
      }
      let changes = try db.rows(
        """
        SELECT sequence, device FROM changes WHERE app = \(app) AND sequence > \(sequence)
        ORDER BY sequence LIMIT \(limit)
        """
      ) { try (sequence: $0.integer("sequence"), device: $0.deviceNumber("device")) }
      // Sequences have no gaps, so a missing number was trimmed.
      if let first = changes.first, first.sequence > sequence + 1 { return nil }
      return DeviceChanges(
        devices: DeviceNumbers(changes.map(\.device)), last: changes.last?.sequence ?? sequence)
    }
  }

  package func trimChanges(app: String, through sequence: Int64) async throws(StoreError) {
    try await write { db in
      guard let app = try Self.number(of: app, db) else { return }
      // The last change is kept, because the next one follows its number.
      try db.queue(
        """
        DELETE FROM changes WHERE app = \(app) AND sequence <= \(sequence)
        AND sequence < (SELECT max(sequence) FROM changes WHERE app = $1)
        """)
    }
  }

  static func lastChange(app: Int64, _ db: any SQLConnection) throws -> Int64 {
    try db.row(lastChangeQuery(app: app)) { try $0.integer("sequence") } ?? 0
  }

  /// The query of ``lastChange(app:_:)``.
  static func lastChangeQuery(app: Int64) -> SQL {
    "SELECT sequence FROM changes WHERE app = \(app) ORDER BY sequence DESC LIMIT 1"
  }

  /// Appends changes of devices to the log, in the transaction that makes them.
  static func log(_ devices: [UInt32], app: Int64, _ db: any SQLConnection) throws {
    guard !devices.isEmpty else { return }
    var sequence = try lastChange(app: app, db)
    guard !db.dialect.hasArrays else {
      // Citus does not allow a query of the log within the insert.
      try db.queue(
        """
        INSERT INTO changes (app, sequence, device)
        SELECT \(app), \(sequence) + given.place, given.device
        FROM unnest(CAST(\(SQLValue.list(devices.map(\.sqlValue))) AS BIGINT[]))
          WITH ORDINALITY AS given (device, place)
        """)
      return
    }
    var rest = devices.makeIterator()
    try db.insert(into: "changes", columns: ["app", "sequence", "device"]) {
      sequence += 1
      return rest.next().map { [.integer(app), .integer(sequence), .integer(Int64($0))] }
    }
  }

  /// Appends the change of one device to the log.
  static func log(_ device: UInt32, app: Int64, _ db: any SQLConnection) throws {
    try db.queue(
      """
      INSERT INTO changes (app, sequence, device)
      VALUES (\(app), \(lastChange(app: app, db) + 1), \(device))
      """)
  }

  /// The most keys of one query.
  private static var keyLimit: Int { 4096 }

  /// Reads the rows of some devices in the order of their numbers; numbers without a device are left
  /// out.
  ///
  /// Numbers that are close together are read as a range, others by their keys. On SQLite, keys are faster if two of
  /// three rows in the range are not wanted.
  ///
  /// `columns` are the columns that `map` reads. The first must be `key`.
  static func rows<T>(
    of numbers: DeviceNumbers, app: Int64, columns: SQL, _ db: any SQLConnection,
    map: (inout SQLRow) throws -> T
  ) throws -> [T] {
    guard let first = numbers.first, let last = numbers.last else { return [] }
    let keys = DeviceKeys(app: app)
    var rows: [T] = []
    rows.reserveCapacity(numbers.count)
    if Int(last - first) < numbers.count * 3 {
      var wanted = numbers.makeIterator()
      var next = wanted.next()
      try db.forEachRow(
        of: """
          SELECT \(columns) FROM devices
          WHERE \(db.dialect.unindexed)app = \(app) AND key BETWEEN \(keys.key(first))
          AND \(keys.key(last)) ORDER BY key
          """
      ) { row in
        let number = try DeviceKeys.number(of: row.firstInteger("key"))
        while let candidate = next, candidate < number { next = wanted.next() }
        if next == number { try rows.append(map(&row)) }
      }
      return rows
    }
    for rank in stride(from: 0, to: numbers.count, by: keyLimit) {
      rows += try db.rows(
        """
        SELECT \(columns) FROM devices
        WHERE \(db.dialect.unindexed)app = \(app)
        AND key \(db.dialect.among(numbers.slice(from: rank, limit: keyLimit).map(keys.key(of:))))
        ORDER BY key
        """, map: map)
    }
    return rows
  }
}

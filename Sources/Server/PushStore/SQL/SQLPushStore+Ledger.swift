import PushModel

extension SQLPushStore {
  package func capped(
    _ devices: DeviceNumbers, by caps: [FrequencyCap], app: String, at now: Timestamp
  ) async throws(StoreError) -> DeviceNumbers {
    guard !caps.isEmpty else { return DeviceNumbers() }
    var capped: [UInt32] = []
    var rest = Array(LedgerPages(devices).pages)
    while !rest.isEmpty {
      let pages = rest.prefix(LedgerPages.readLimit)
      rest.removeFirst(pages.count)
      let ledgers = try await read { db in
        guard let app = try Self.number(of: app, db) else { return [] as [(Int64, PushLedger)] }
        return try Self.ledgers(pages.map(\.page), app: app, db)
      }
      let found = Dictionary(ledgers, uniquingKeysWith: { $1 })
      for (page, devices) in pages {
        guard let ledger = found[page] else { continue }
        capped += devices.filter { ledger.cap(among: caps, of: $0, send: -1, at: now) != nil }
      }
    }
    return DeviceNumbers(capped)
  }

  package func pushes(
    to device: UInt32, app: String
  ) async throws(StoreError) -> [(send: String, time: Timestamp)] {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return [] }
      let pages = try Self.ledgers([PushLedger.page(of: device)], app: app, db)
      return try (pages.first?.1.pushes(to: device) ?? []).compactMap { push in
        let send = try db.row(
          "SELECT id FROM sends WHERE app = \(app) AND number = \(push.send)"
        ) { try $0.text("id") }
        return send.map { ($0, push.time) }
      }
    }
  }

  /// Counts the pushes of a batch before they are sent; `nil` if no rule applies.
  ///
  /// The pages are locked until the transaction ends. So the second of two concurrent sends sees the pushes of the
  /// first, and no device gets more than its rules allow.
  static func reserve(
    _ devices: DeviceNumbers, for send: Send, key: SendKey, at now: Timestamp,
    _ db: any SQLConnection
  ) throws -> LedgerReservation? {
    guard send.capping != [] else { return nil }
    let caps = try limits(of: key.app, db).caps
    guard !caps.isEmpty else { return nil }
    let pages = LedgerPages(devices).pages
    var found = LedgerReservation()
    let ledgers = try lockedLedgers(pages.map(\.page), app: key.app, db)
    for (page, devices) in pages {
      var ledger = ledgers[page] ?? PushLedger()
      let old = ledger
      for device in devices {
        if send.capping.contains(.obeys),
          let cap = ledger.cap(among: caps, of: device, send: key.number, at: now)
        {
          found.capped[device] = cap
        } else if send.capping.contains(.counts), !ledger.add(key.number, to: device, at: now) {
          found.counted.append(device)
        }
      }
      if ledger != old { try store(ledger, page: page, app: key.app, at: now, db) }
    }
    return found
  }

  /// Takes back the counts of ``reserve(_:for:key:at:_:)`` for pushes that APNs cannot have accepted.
  static func release(
    _ devices: DeviceNumbers, of send: Send, key: SendKey, at now: Timestamp,
    _ db: any SQLConnection
  ) throws {
    guard send.capping.contains(.counts), !devices.isEmpty else { return }
    try change(devices, app: key.app, at: now, db) { ledger, device in
      _ = ledger.remove(key.number, from: device)
    }
  }

  /// Removes a device from the ledger.
  static func eraseLedger(
    ofDevice device: UInt32, app: Int64, at now: Timestamp, _ db: any SQLConnection
  ) throws {
    try change(DeviceNumbers([device]), app: app, at: now, db) { $0.erase($1) }
  }

  private static func change(
    _ devices: DeviceNumbers, app: Int64, at now: Timestamp, _ db: any SQLConnection,
    by body: (inout PushLedger, UInt32) -> Void
  ) throws {
    let pages = LedgerPages(devices).pages
    let known = Dictionary(
      try ledgers(pages.map(\.page), app: app, lock: db.dialect.forUpdate, db),
      uniquingKeysWith: { $1 })
    for (page, devices) in pages {
      guard var ledger = known[page] else { continue }
      let old = ledger
      for device in devices { body(&ledger, device) }
      if ledger != old { try store(ledger, page: page, app: app, at: now, db) }
    }
  }

  // MARK: Rows

  /// The stored pages with some numbers, in order.
  private static func ledgers(
    _ pages: [Int64], app: Int64, lock: SQL = "", _ db: any SQLConnection
  ) throws -> [(Int64, PushLedger)] {
    try db.rows(
      """
      SELECT page, pushes FROM push_ledger
      WHERE app = \(app) AND page \(db.dialect.among(pages)) ORDER BY page\(lock)
      """
    ) { try ($0.integer("page"), $0.packed("pushes", PushLedger.init(packed:))) }
  }

  /// The pages with some numbers, locked against other transactions.
  private static func lockedLedgers(
    _ pages: [Int64], app: Int64, _ db: any SQLConnection
  ) throws -> [Int64: PushLedger] {
    var known = try ledgers(pages, app: app, lock: db.dialect.forUpdate, db)
    if known.count < pages.count, !db.dialect.forUpdate.text.isEmpty {
      // A missing page cannot be locked, so it is inserted first.
      let empty = PushLedger()
      for page in Set(pages).subtracting(known.map(\.0)).sorted() {
        try db.queue(
          """
          INSERT INTO push_ledger (app, page, pushes, newest)
          VALUES (\(app), \(page), \(empty.packed), 0)
          ON CONFLICT (app, page) DO NOTHING
          """)
      }
      known = try ledgers(pages, app: app, lock: db.dialect.forUpdate, db)
    }
    return Dictionary(known, uniquingKeysWith: { $1 })
  }

  private static func store(
    _ ledger: PushLedger, page: Int64, app: Int64, at now: Timestamp, _ db: any SQLConnection
  ) throws {
    var ledger = ledger
    ledger.removeOld(at: now)
    try db.queue(
      """
      INSERT INTO push_ledger (app, page, pushes, newest)
      VALUES (\(app), \(page), \(ledger.packed), \(ledger.newest ?? Timestamp(milliseconds: 0)))
      ON CONFLICT (app, page) DO UPDATE SET pushes = excluded.pushes, newest = excluded.newest
      """)
  }
}

/// The devices of a batch by what the ledger says of them.
struct LedgerReservation {
  /// The devices that must not get the push, with the rule.
  var capped: [UInt32: FrequencyCap] = [:]
  /// The devices whose push an earlier lease has counted.
  var counted = DeviceNumbers()
}

/// Devices grouped by their page of the ledger.
private struct LedgerPages {
  /// The number of pages that are read at once.
  static let readLimit = 256

  /// The pages in order, each with its devices.
  private(set) var pages: [(page: Int64, devices: [UInt32])] = []

  init(_ devices: DeviceNumbers) {
    for device in devices {
      let page = PushLedger.page(of: device)
      if pages.last?.page != page { pages.append((page, [])) }
      pages[pages.count - 1].devices.append(device)
    }
  }
}

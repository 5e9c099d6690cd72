import PushModel

/// A device's reports in one request, with the time of the request.
struct ReportRequest: Sendable {
  enum Report: Sendable {
    case receipts([Receipt])
    /// An opening of the app on the device with this id.
    case opening(device: String)
  }

  var report: Report
  var at: Timestamp
  var record: ChangeRecord?

  var receipts: [Receipt] {
    if case .receipts(let receipts) = report { receipts } else { [] }
  }
}

extension SQLPushStore {
  package func record(
    _ receipts: [Receipt], app: String, at now: Timestamp
  ) async throws(StoreError) -> Int {
    try await commit(
      ReportRequest(report: .receipts(receipts), at: now, record: changeRecord), app: app)
  }

  package func recordOpen(
    device id: String, app: String, at now: Timestamp
  ) async throws(StoreError) {
    _ = try await commit(
      ReportRequest(report: .opening(device: id), at: now, record: changeRecord), app: app)
  }

  private func commit(
    _ request: ReportRequest, app: String
  ) async throws(StoreError) -> Int {
    let commit = { @Sendable (requests: [ReportRequest]) async throws(StoreError) in
      try await self.writeUnrecorded { [groups = self.groups] db in
        try Self.store(requests, app: app, groups: groups, db).map { count in
          Result<Int, StoreError>.success(count)
        }
      }
    }
    guard request.receipts.count <= WriteGroups.rowLimit else {
      return try await commit([request]).first?.get() ?? 0
    }
    return try await groups.reports.answer(
      to: request, of: groups.lane(of: request, app: app), commit)
  }

  /// Stores reports as if each request came after the previous one.
  ///
  /// Rows are locked in this order: receipts by key, attributions, sends, the app, counts. Rows are never
  /// share-locked.
  ///
  /// - Returns: The number of stored receipts of each request; 1 for an opening on a device that exists.
  static func store(
    _ requests: [ReportRequest], app id: String, groups: WriteGroups, _ db: any SQLConnection
  ) throws -> [Int] {
    try db.planForSize()
    if let app = groups.number(ofApp: id) { try fetchAhead(requests, app: app, id: id, db) }
    guard let app = try number(of: id, db) else { return requests.map { _ in 0 } }
    groups.note(app, ofApp: id)
    return try store(requests, app: app, targets: groups.targets, db)
  }

  /// Runs the first queries for reports in one round trip.
  ///
  /// `app` is the last known number of the app. If the number has changed, the queries run again with the new one.
  private static func fetchAhead(
    _ requests: [ReportRequest], app: Int64, id: String, _ db: any SQLConnection
  ) throws {
    try db.fetchAhead(numberQuery(of: id))
    try db.fetchAhead(query(forNumbersOf: reportingDevices(of: requests), app: app, db.dialect))
    let sends = Set(requests.lazy.flatMap(\.receipts).map(\.send))
    guard !sends.isEmpty else { return }
    try db.fetchAhead(query(forSends: sends, app: app, db.dialect))
  }

  private static func store(
    _ requests: [ReportRequest], app: Int64, targets: SendTargets, _ db: any SQLConnection
  ) throws -> [Int] {
    var answers = requests.map { _ in 0 }
    let numbers = try deviceNumbers(reportingDevices(of: requests), app: app, db)
    let openingIDs = openingDevices(of: requests)
    let opening = numbers.filter { openingIDs.contains($0.key) }
    var new = try insertNew(requests, of: numbers, app: app, targets: targets, db)
    let devices = Set(new.map(\.device)).union(opening.values)
    guard !devices.isEmpty else { return answers }

    let attributions = try attributions(of: devices, isLocked: true, app: app, db)
    let involved = Set(new.map(\.send)).union(attributions.values.map(\.send))
    let changesDevices = !opening.isEmpty || new.contains { $0.receipt.event == .opened }
    if !involved.isEmpty {
      try db.fetchAhead(lockingQuery(forSends: involved, app: app, db.dialect))
    }
    let earlier = EarlierReceipts(of: new)
    try db.fetchAhead(given: EarlierReceipts.columns, rows: earlier.rows) {
      EarlierReceipts.query(of: $0, app: app)
    }
    if changesDevices, let lock = db.dialect.deviceLock(of: app) {
      try db.fetchAhead(lock)
      try db.fetchAhead(lastChangeQuery(app: app))
    }
    try db.fetchAhead(foldQuery(devices, app: app, db.dialect))
    let known = try lockSends(involved, app: app, db)
    if !known.isSuperset(of: new.map(\.send)) {
      // Removes the new receipts of sends that were removed or emptied meanwhile.
      try db.queue(
        """
        DELETE FROM receipts WHERE app = \(app)
        AND send \(db.dialect.among(involved.subtracting(known)))
        """)
      new.removeAll { !known.contains($0.send) }
    }
    if changesDevices { guard try lockDevices(of: app, db) else { return answers } }

    var fold = ReportFold(
      devices: try foldDevices(devices, withUsers: changesDevices, app: app, db),
      attributions: attributions, reported: try reportedBefore(new, among: earlier, app: app, db),
      values: try answerValues(new, app: app, db))
    var next = new[...]
    for (place, request) in requests.enumerated() {
      if case .opening(let device) = request.report, let number = opening[device] {
        if fold.addOpening(of: number, at: request.at) { answers[place] = 1 }
      }
      while let receipt = next.first, receipt.request == place {
        // A device's clock may be wrong, but a receipt is never from before the send began or after now.
        let time = min(max(receipt.receipt.at, receipt.beganAt), request.at)
        fold.add(receipt.receipt, of: receipt.send, device: receipt.device, at: time)
        answers[place] += 1
        next.removeFirst()
      }
    }
    try write(fold, app: app, db)
    let records = zip(requests, answers).compactMap { $1 > 0 ? $0.record : nil }
    for entry in records.compactMap(\.entry) { try append(entry, db) }
    _ = try enqueue(records.compactMap(\.notice), app: app, db)
    return answers
  }

  // MARK: Reading

  /// The ids of the devices that have reports.
  private static func reportingDevices(of requests: [ReportRequest]) -> Set<String> {
    openingDevices(of: requests).union(requests.lazy.flatMap(\.receipts).map(\.device))
  }

  /// The ids of the devices on which the app was opened.
  private static func openingDevices(of requests: [ReportRequest]) -> Set<String> {
    Set(
      requests.compactMap { request in
        if case .opening(let device) = request.report { device } else { nil }
      })
  }

  /// The numbers of devices by their ids, without erased ones, of which no report is kept.
  static func deviceNumbers(
    _ ids: Set<String>, app: Int64, _ db: any SQLConnection
  ) throws -> [String: UInt32] {
    guard !ids.isEmpty else { return [:] }
    let rows = try db.rows(query(forNumbersOf: ids, app: app, db.dialect)) {
      (try $0.text("id"), DeviceKeys.number(of: try $0.integer("key")))
    }
    return Dictionary(rows, uniquingKeysWith: { $1 })
  }

  /// The query of ``deviceNumbers(_:app:_:)``.
  private static func query(
    forNumbersOf ids: Set<String>, app: Int64, _ dialect: SQLDialect
  ) -> SQL {
    """
    SELECT id, key FROM devices
    WHERE app = \(app) AND erased_at IS NULL AND id \(dialect.among(ids.sorted()))
    """
  }

  /// Locks the rows of sends.
  ///
  /// - Returns: The numbers of those sends that take receipts: they exist, and retention has not emptied them.
  private static func lockSends(
    _ sends: Set<Int64>, app: Int64, _ db: any SQLConnection
  ) throws -> Set<Int64> {
    guard !sends.isEmpty else { return [] }
    let rows = try db.rows(lockingQuery(forSends: sends, app: app, db.dialect)) { row in
      try (number: row.integer("number"), isEmptied: row.bool("emptied"))
    }
    return Set(rows.lazy.filter { !$0.isEmptied }.map(\.number))
  }

  /// The query of ``lockSends(_:app:_:)``.
  private static func lockingQuery(
    forSends sends: Set<Int64>, app: Int64, _ dialect: SQLDialect
  ) -> SQL {
    """
    SELECT number, emptied FROM sends WHERE \(dialect.unindexed)app = \(app)
    AND number \(dialect.among(sends.sorted()))
    ORDER BY number\(dialect.forUpdate)
    """
  }

  private static func foldDevices(
    _ numbers: Set<UInt32>, withUsers: Bool, app: Int64, _ db: any SQLConnection
  ) throws -> [UInt32: ReportFold.Device] {
    let rows = try db.rows(foldQuery(numbers, app: app, db.dialect)) { row in
      (
        number: DeviceKeys.number(of: try row.integer("key")),
        user: try row.optionalText("user_id"),
        lastOpenedAt: try row.optionalTime("last_opened_at"),
        erasedAt: try row.optionalTime("erased_at"),
        openHours: try row.optionalPacked("open_hours", OpenHours.init(packed:)) ?? OpenHours()
      )
    }
    let users = withUsers ? Set(rows.compactMap(\.user)) : []
    let first = try firstDevices(ofUsers: users, app: app, db)
    return Dictionary(
      rows.map { row in
        (
          row.number,
          ReportFold.Device(
            lastOpenedAt: row.lastOpenedAt, isErased: row.erasedAt != nil,
            activeNumber: row.user.flatMap { first[$0] } ?? row.number,
            openHours: row.openHours)
        )
      }, uniquingKeysWith: { $1 })
  }

  /// The query for the columns of devices on which reports depend.
  private static func foldQuery(
    _ numbers: Set<UInt32>, app: Int64, _ dialect: SQLDialect
  ) -> SQL {
    let keys = DeviceKeys(app: app)
    return """
      SELECT key, user_id, last_opened_at, erased_at, open_hours FROM devices
      WHERE \(dialect.unindexed)app = \(app)
      AND key \(dialect.among(numbers.sorted().map(keys.key(of:))))
      """
  }

  private static func firstDevices(
    ofUsers users: Set<String>, app: Int64, _ db: any SQLConnection
  ) throws -> [String: UInt32] {
    guard !users.isEmpty else { return [:] }
    let rows = try db.rows(
      """
      SELECT user_id, min(key) AS key FROM devices
      WHERE app = \(app) AND user_id \(db.dialect.among(users)) GROUP BY user_id
      """
    ) { try ($0.text("user_id"), DeviceKeys.number(of: $0.integer("key"))) }
    return Dictionary(rows, uniquingKeysWith: { $1 })
  }

  /// The separately counted values of sends that have new answers.
  private static func answerValues(
    _ new: [NewReceipt], app: Int64, _ db: any SQLConnection
  ) throws -> [Int64: Set<String>] {
    let sends = Set(
      new.lazy.filter { $0.receipt.event == .templateAnswered && $0.receipt.value != nil }
        .map(\.send))
    guard !sends.isEmpty else { return [:] }
    var values: [Int64: Set<String>] = [:]
    _ = try db.rows(
      """
      SELECT send, name FROM tallies WHERE app = \(app) AND kind = \(Tally.templateValue.rawValue)
      AND send \(db.dialect.among(sends))
      """
    ) { try values[$0.integer("send"), default: []].insert($0.text("name")) }
    return values
  }
}

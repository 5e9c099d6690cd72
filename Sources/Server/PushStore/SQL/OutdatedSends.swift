import PushModel

/// The outcomes and receipts of sends that a store no longer needs, as much as one transaction removes.
///
/// A send of which nothing is left is marked. An index has the ended sends without the mark, so that no query passes
/// the others, however many there are.
struct OutdatedSends: Sendable {
  private let receipts: [SendKey]
  private let outcomes: [SendKey]
  /// Sends of which nothing is left, and which are not marked yet.
  private let emptied: [SendKey]

  /// The most sends that one transaction marks.
  static let markLimit = 1000

  init(_ retention: Retention, at now: Timestamp, limit: Int, _ db: any SQLConnection) throws {
    func sends(_ query: SQL) throws -> [SendKey] {
      try db.rows(query) { try SendKey(app: $0.integer("app"), number: $0.integer("number")) }
    }
    let (lastReceipts, lastOutcomes) = (
      now + (.zero - retention.receipts), now + (.zero - retention.outcomes)
    )
    emptied = try sends(
      Self.emptiedQuery(before: lastOutcomes, limit: Self.markLimit, db.dialect))
    // The other queries would pass these sends until they are marked.
    guard emptied.count < Self.markLimit else {
      (receipts, outcomes) = ([], [])
      return
    }
    receipts = try sends(Self.receiptsQuery(before: lastReceipts, limit: limit, db.dialect))
    outcomes = try sends(Self.outcomesQuery(before: lastOutcomes, limit: limit, db.dialect))
  }

  var isEmpty: Bool { receipts.isEmpty && outcomes.isEmpty && emptied.isEmpty }
  var removesOutcomes: Bool { !outcomes.isEmpty }

  /// Removes at most `limit` receipts and `limit` outcomes; the rest is found again later.
  func remove(limit: Int, _ db: any SQLConnection) throws {
    var left = limit
    for send in receipts where left > 0 {
      let ofSend: SQL = "\(db.dialect.unindexed)app = \(send.app) AND send = \(send.number)"
      left -= try db.run(
        """
        DELETE FROM receipts WHERE \(ofSend) AND (device, id) IN (
          SELECT device, id FROM receipts WHERE \(ofSend) LIMIT \(left))
        """)
    }
    left = limit
    for send in outcomes where left > 0 {
      left -= try db.run(
        """
        DELETE FROM batches WHERE app = \(send.app) AND number IN (
          SELECT number FROM batches WHERE app = $1 AND send = \(send.number) LIMIT \(left))
        """)
      // These rows go last, because without them the send takes no receipts.
      guard left > 0 else { break }
      try db.queue("DELETE FROM send_data WHERE app = \(send.app) AND send = \(send.number)")
      try db.queue("DELETE FROM segments WHERE app = \(send.app) AND send = \(send.number)")
    }
    try mark(db)
  }

  private func mark(_ db: any SQLConnection) throws {
    for (app, sends) in Dictionary(grouping: emptied, by: \.app) {
      let chosen: SQL = """
        \(db.dialect.unindexed)app = \(app) AND number \(db.dialect.among(sends.map(\.number)))
        """
      // A report locks its send after it has added its receipts. So they are seen below, or it sees the mark.
      _ = try db.rows(
        "SELECT number FROM sends WHERE \(chosen) ORDER BY number\(db.dialect.forUpdate)"
      ) { _ in }
      let hasRows = Self.hasRows(in: Self.tables, ofApp: "\(app)", db.dialect)
      try db.queue("UPDATE sends SET emptied = TRUE WHERE \(chosen) AND NOT \(hasRows)")
    }
  }

  // MARK: Queries

  /// The tables in which a marked send has no rows.
  private static let tables = ["receipts", "batches", "segments"]

  static func receiptsQuery(before end: Timestamp, limit: Int, _ dialect: SQLDialect) -> SQL {
    query(
      before: end, hasRows(in: ["receipts"], ofApp: "sends.app", dialect), limit: limit)
  }

  static func outcomesQuery(before end: Timestamp, limit: Int, _ dialect: SQLDialect) -> SQL {
    query(
      before: end, hasRows(in: ["batches", "segments"], ofApp: "sends.app", dialect), limit: limit)
  }

  static func emptiedQuery(before end: Timestamp, limit: Int, _ dialect: SQLDialect) -> SQL {
    query(before: end, "NOT \(hasRows(in: tables, ofApp: "sends.app", dialect))", limit: limit)
  }

  /// The query for sends that ended before a time and meet a condition, the earliest first.
  private static func query(before end: Timestamp, _ condition: SQL, limit: Int) -> SQL {
    """
    SELECT app, number FROM sends WHERE NOT emptied AND completed_at < \(end) AND \(condition)
    ORDER BY completed_at LIMIT \(limit)
    """
  }

  /// The condition that one of some tables has a row of a send; `app` is the number of the send's app.
  private static func hasRows(
    in tables: [String], ofApp app: SQL, _ dialect: SQLDialect
  ) -> SQL {
    let conditions = tables.map { table -> SQL in
      """
      EXISTS (SELECT 1 FROM \(raw: table)
        WHERE \(dialect.unindexed)\(raw: table).app = \(app) AND send = sends.number)
      """
    }
    return "(\(conditions.joined(separator: " OR ")))"
  }
}

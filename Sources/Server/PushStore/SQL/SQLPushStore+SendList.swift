import PushModel

extension SQLPushStore {
  package func sends(
    app: String, matching query: SendQuery, after cursor: String?, limit: Int
  ) async throws(StoreError) -> (sends: [Send], total: Int) {
    try await read { db in
      guard let app = try Self.number(of: app, db) else { return ([], 0) }
      let list = SendListQuery(query, app: app)
      let sends = try db.rows(list.page(after: cursor, limit: limit), map: Send.init(row:))
      let total = try db.row(list.count) { try $0.int("count") }
      return (sends, total ?? 0)
    }
  }

  /// Stores the words and labels by which a send is found.
  static func insertTerms(of send: Send, key: SendKey, _ db: any SQLConnection) throws {
    try db.queue(given: [.text("term")], rows: SendTerms.terms(of: send).map { [.text($0)] }) {
      given in
      """
      INSERT INTO send_terms (app, send, term) SELECT \(key.app), \(key.number), given.*
      FROM \(given) WHERE TRUE
      """
    }
  }
}

extension Campaign {
  /// The condition for notifications and messages of an app that are not of a triggered campaign.
  static func isNotTriggered(app: Int64) -> SQL {
    """
    (campaign IS NULL OR campaign NOT IN (
      SELECT id FROM campaigns WHERE app = \(app) AND kind = '\(raw: Kind.triggered.rawValue)'))
    """
  }
}

/// The statements of a list of notifications.
///
/// They have only the requested conditions, so that the database plans for those.
struct SendListQuery {
  private let app: Int64
  private let condition: SQL

  init(_ query: SendQuery, app: Int64) {
    self.app = app
    var conditions: [SQL] = ["app = \(app)", "activity IS NULL"]
    if let state = query.state { conditions.append("state = \(state.rawValue)") }
    if let label = query.label {
      let term = SendTerms.label(label)
      conditions.append(
        "number IN (SELECT send FROM send_terms WHERE app = \(app) AND term = \(term))")
    }
    if query.leavesOutTriggered { conditions.append(Campaign.isNotTriggered(app: app)) }
    for word in query.words {
      let prefix = SendTerms.word(word)
      conditions.append(
        """
        number IN (SELECT send FROM send_terms
          WHERE app = \(app) AND term >= \(prefix) AND term < \(SendTerms.end(of: prefix)))
        """)
    }
    condition = conditions.joined(separator: " AND ")
  }

  /// The query for a page after the send with the id `cursor`.
  ///
  /// The inner statement sorts only numbers. A single statement would read and sort the whole rows of all sends with
  /// a word, although the page has few of them: 18 ms instead of 4 ms for 10,000 sends with one word in SQLite.
  func page(after cursor: String?, limit: Int) -> SQL {
    let isAfter: SQL = """
      (CAST(\(cursor) AS TEXT) IS NULL
        OR number < (SELECT number FROM sends WHERE app = \(app) AND id = $1))
      """
    return """
      SELECT \(Send.selection) FROM sends WHERE app = \(app) AND number IN (
        SELECT number FROM sends WHERE \(condition) AND \(isAfter)
        ORDER BY number DESC LIMIT \(limit))
      ORDER BY number DESC
      """
  }

  var count: SQL { "SELECT count(*) AS count FROM sends WHERE \(condition)" }
}

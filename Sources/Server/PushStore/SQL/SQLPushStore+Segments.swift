import PushModel
import PushPayload

extension SQLPushStore {
  /// Splits batches off the segment of an app that has been due the longest; `false` if no segment is due.
  static func splitSegment(
    of app: Int64, _ request: LeaseRequest, _ db: any SQLConnection
  ) throws -> Bool {
    let row: DueSegment? = try db.row(
      """
      SELECT number, send, devices, taken, due_at, quiet, transactional, (
        SELECT throttle FROM sends WHERE sends.app = \(app) AND sends.number = send
      ) AS throttle
      FROM segments WHERE app = $1 AND \(due(request))
      ORDER BY due_at, number LIMIT 1\(db.dialect.forUpdateSkippingLocked)
      """
    ) { try DueSegment(row: &$0, app: app) }
    guard let row else { return false }
    try reading(.send(row.send)) { try split(row, app: app, at: request.now, db) }
    return true
  }

  private static func split(
    _ row: DueSegment, app: Int64, at now: Timestamp, _ db: any SQLConnection
  ) throws {
    if let quiet = row.quiet, quiet.otherwise == .wait, let end = quiet.end(at: now) {
      try db.queue(
        "UPDATE segments SET due_at = \(end) WHERE app = \(app) AND number = \(row.number)")
      return
    }
    let devices = row.devices
    let split = SegmentSplit(
      taken: row.taken, of: devices.count,
      limit: row.isTransactional ? SendClass.transactionalLimit : Batch.limit, dueAt: row.due,
      throttlePerSecond: row.throttle,
      sharers: row.throttle == nil
        ? 1 : try activeSegments(ofSend: row.send.number, app: app, at: now, db), at: now)
    for ranks in split.batches {
      let slice = devices.slice(from: ranks.lowerBound, limit: ranks.count)
      guard let first = slice.first, let last = slice.last else { continue }
      try db.queue(
        """
        INSERT INTO batches (app, send, first, last, devices, due_at, waits, lease, fruitless,
          quiet, transactional)
        VALUES (\(app), \(row.send.number), \(first), \(last), \(slice.packed), \(now), TRUE, 0, 0,
          \(row.quiet?.text), \(row.isTransactional))
        """)
    }
    if let nextDue = split.nextDue {
      try db.queue(
        """
        UPDATE segments SET taken = \(split.taken), due_at = \(nextDue) WHERE app = \(app)
        AND number = \(row.number)
        """)
    } else {
      try db.queue(
        """
        UPDATE segments SET taken = \(devices.count), due_at = NULL, waits = FALSE
        WHERE app = \(app) AND number = \(row.number)
        """)
      try startPart(
        after: row.number, ofSend: row.send.number, app: app, at: split.followingDue, db)
    }
  }

  /// The number of a send's active segments, which share its rate.
  private static func activeSegments(
    ofSend send: Int64, app: Int64, at now: Timestamp, _ db: any SQLConnection
  ) throws -> Int {
    try db.row(
      """
      SELECT count(*) AS count FROM segments
      WHERE app = \(app) AND send = \(send) AND due_at <= \(now + SegmentSplit.longestGap)
      AND (taken > 0 OR due_at <= \(now))
      """
    ) { try $0.int("count") } ?? 1
  }

  /// Makes the next part of a segment due after a part has ended.
  ///
  /// The parts of a segment have consecutive numbers in their send.
  private static func startPart(
    after number: Int64, ofSend send: Int64, app: Int64, at due: Timestamp, _ db: any SQLConnection
  ) throws {
    let next = try db.row(
      """
      SELECT number, taken FROM segments WHERE app = \(app) AND send = \(send)
      AND number > \(number)
      ORDER BY number LIMIT 1
      """
    ) { try (number: $0.integer("number"), taken: $0.integer("taken")) }
    guard let next, next.taken == Segment.followerTaken else { return }
    try db.queue(
      """
      UPDATE segments SET taken = 0, due_at = \(due) WHERE app = \(app) AND number = \(next.number)
      """)
  }
}

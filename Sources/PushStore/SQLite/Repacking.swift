import PushPayload
import _SQLite

/// Brings batches and outcomes, a row a device before, into a row a batch.
enum Repacking {
  static func run(on db: SQLiteConnection) throws {
    for send in try db.rows("SELECT number FROM sends ORDER BY number", [], { $0.integer(0) }) {
      let open = try repackBatches(of: send, db)
      try repackOutcomes(of: send, besides: open, db)
    }
    try db.execute("DROP TABLE old_outcomes; DROP TABLE old_batches")
  }

  /// Moves the batches that wait, with what is known of their devices; returns those devices.
  private static func repackBatches(of send: Int64, _ db: SQLiteConnection) throws -> Set<UInt32> {
    let batches = try db.rows(
      "SELECT devices, due_at, lease, fruitless FROM old_batches WHERE send = ? ORDER BY id",
      [.integer(send)]
    ) { row in
      (
        devices: DeviceNumbers(
          (row.json(0).array ?? []).compactMap { $0.integer.flatMap(UInt32.init(exactly:)) }),
        due: row.time(1), lease: row.integer(2), fruitless: row.integer(3)
      )
    }
    var open: Set<UInt32> = []
    for batch in batches {
      guard let first = batch.devices.first, let last = batch.devices.last else { continue }
      open.formUnion(batch.devices)
      var outcomes = PackedOutcomes(devices: batch.devices)
      _ = outcomes.merge(
        try db.rows(
          "SELECT \(columns) FROM old_outcomes WHERE send = ? AND device BETWEEN ? AND ?",
          [.integer(send), .integer(Int64(first)), .integer(Int64(last))], outcome(row:)))
      try db.run(
        """
        INSERT INTO batches (send, first, last, devices, outcomes, due_at, waits, lease, fruitless)
        VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?)
        """,
        [
          .integer(send), .integer(Int64(first)), .integer(Int64(last)),
          .blob(batch.devices.packed), outcomes.count > 0 ? .blob(outcomes.packed) : .null,
          .integer(batch.due.milliseconds), .integer(batch.lease), .integer(batch.fruitless),
        ])
    }
    return open
  }

  /// Packs the outcomes of devices that are in no batch any more, a batch's worth at a time.
  private static func repackOutcomes(
    of send: Int64, besides open: Set<UInt32>, _ db: SQLiteConnection
  ) throws {
    var seen: Int64 = -1
    while true {
      let page = try db.rows(
        """
        SELECT \(columns) FROM old_outcomes WHERE send = ? AND device > ? ORDER BY device LIMIT ?
        """, [.integer(send), .integer(seen), .integer(Int64(Batch.limit))], outcome(row:))
      guard let end = page.last else { return }
      seen = Int64(end.device)
      let ended = page.filter { !open.contains($0.device) }
      let devices = DeviceNumbers(ended.map(\.device))
      guard let first = devices.first, let last = devices.last else { continue }
      var outcomes = PackedOutcomes(devices: devices)
      _ = outcomes.merge(ended)
      try db.run(
        """
        INSERT INTO batches (send, first, last, devices, outcomes, waits, lease, fruitless)
        VALUES (?, ?, ?, ?, ?, 0, 0, 0)
        """,
        [
          .integer(send), .integer(Int64(first)), .integer(Int64(last)), .blob(devices.packed),
          .blob(outcomes.packed),
        ])
    }
  }

  private static let columns = "device, result, status, reason, time"

  private static func outcome(row: SQLiteRow) -> Outcome {
    Outcome(
      device: UInt32(clamping: row.integer(0)),
      result: Outcome.Result(rawValue: row.text(1)) ?? .rejected,
      status: row.optionalInteger(2).map { Int($0) }, reason: row.optionalText(3), time: row.time(4)
    )
  }
}

import PushPayload

/// A send as a row of `sends`.
extension Send {
  static let columns = """
    id, message_id, audience, payload, state, created_at, started_at, completed_at, \
    targeted, sent, rejected, uninstalled, delivered, displayed, opened, scheduled_at, local_time, \
    expires_at, throttle, idempotency_key, fingerprint, group_name, failure, indirect, \
    answered, invalid, suspicion
    """
  /// ``columns``, and the id of the app; a row has its number.
  static let selection =
    columns + ", (SELECT apps.id FROM apps WHERE apps.number = sends.app) AS app_id"

  /// Of ``columns``, and of the time at which to look after its expiry.
  var values: [SQLValue] {
    [
      .text(id), .text(messageID), .text(audience), .json(payload),
      .text(state.rawValue), .time(createdAt), .time(startedAt), .time(completedAt),
      .integer(Int64(counts.targeted)), .integer(Int64(counts.sent)),
      .integer(Int64(counts.rejected)), .integer(Int64(counts.uninstalled)),
      .integer(Int64(counts.delivered)), .integer(Int64(counts.displayed)),
      .integer(Int64(counts.opened)), .time(scheduledAt), .bool(isLocalTime), .time(expiresAt),
      .optional(throttlePerSecond.map { Int64($0) }), .optional(idempotencyKey),
      fingerprint.isEmpty ? .null : .blob(fingerprint), .optional(group), .optional(failure),
      .integer(Int64(counts.openedIndirectly)), .integer(Int64(tally.answered)),
      .integer(Int64(tally.invalid)), .integer(Int64(suspicion.rawValue)),
      state.isOver ? .null : .time(expiresAt),
    ]
  }

  /// - Parameter row: ``selection``, from the first column on.
  init(row: any SQLRow) {
    self.init(
      id: row.text(0), messageID: row.text(1), app: row.text(27), audience: row.text(2),
      payload: row.json(3), createdAt: row.time(5))
    state = State(rawValue: row.text(4)) ?? .scheduled
    startedAt = row.optionalTime(6)
    completedAt = row.optionalTime(7)
    counts.targeted = Int(row.integer(8))
    counts.sent = Int(row.integer(9))
    counts.rejected = Int(row.integer(10))
    counts.uninstalled = Int(row.integer(11))
    counts.delivered = Int(row.integer(12))
    counts.displayed = Int(row.integer(13))
    counts.opened = Int(row.integer(14))
    scheduledAt = row.optionalTime(15)
    isLocalTime = row.bool(16)
    expiresAt = row.optionalTime(17)
    throttlePerSecond = row.optionalInteger(18).map { Int($0) }
    idempotencyKey = row.optionalText(19)
    fingerprint = row.blob(20)
    group = row.optionalText(21)
    failure = row.optionalText(22)
    counts.openedIndirectly = Int(row.integer(23))
    tally.answered = Int(row.integer(24))
    tally.invalid = Int(row.integer(25))
    suspicion = .init(rawValue: Int(row.integer(26))) ?? .none
  }
}

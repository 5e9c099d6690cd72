import PushPayload

/// A send as a row of `sends`.
extension Send {
  static let columns = """
    id, message_id, app, audience, payload, state, created_at, started_at, completed_at, \
    targeted, sent, rejected, uninstalled, delivered, displayed, opened, scheduled_at, local_time, \
    expires_at, throttle, idempotency_key, fingerprint, group_name, failure, indirect, \
    answered, invalid, suspicion
    """

  /// Of ``columns``, and of the time at which to look after its expiry.
  var values: [SQLValue] {
    [
      .text(id), .text(messageID), .text(app), .text(audience), .json(payload),
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

  /// - Parameter row: ``columns``, from the first column on.
  init(row: any SQLRow) {
    self.init(
      id: row.text(0), messageID: row.text(1), app: row.text(2), audience: row.text(3),
      payload: row.json(4), createdAt: row.time(6))
    state = State(rawValue: row.text(5)) ?? .scheduled
    startedAt = row.optionalTime(7)
    completedAt = row.optionalTime(8)
    counts.targeted = Int(row.integer(9))
    counts.sent = Int(row.integer(10))
    counts.rejected = Int(row.integer(11))
    counts.uninstalled = Int(row.integer(12))
    counts.delivered = Int(row.integer(13))
    counts.displayed = Int(row.integer(14))
    counts.opened = Int(row.integer(15))
    scheduledAt = row.optionalTime(16)
    isLocalTime = row.bool(17)
    expiresAt = row.optionalTime(18)
    throttlePerSecond = row.optionalInteger(19).map { Int($0) }
    idempotencyKey = row.optionalText(20)
    fingerprint = row.blob(21)
    group = row.optionalText(22)
    failure = row.optionalText(23)
    counts.openedIndirectly = Int(row.integer(24))
    tally.answered = Int(row.integer(25))
    tally.invalid = Int(row.integer(26))
    suspicion = .init(rawValue: Int(row.integer(27))) ?? .none
  }
}

import PushPayload

/// A send as a row of `sends`.
extension Send {
  static let columns = """
    id, message_id, audience, payload, created_at, state, started_at, completed_at, \
    targeted, sent, rejected, uninstalled, delivered, displayed, opened, scheduled_at, local_time, \
    expires_at, throttle, idempotency_key, fingerprint, group_name, failure, indirect, \
    answered, invalid, suspicion, activity, activity_push, trace, \
    name, labels, campaign, run, phase, variant, quiet, capped, capping
    """
  /// The id of the app, of which a row of `sends` has the number, and ``columns``.
  static let selection =
    "(SELECT apps.id FROM apps WHERE apps.number = sends.app) AS app_id, " + columns

  /// The values of ``columns``, and of `ends_at`.
  var values: [SQLValue] {
    [
      .text(id), .text(messageID), .text(audience), .json(payload),
      .time(createdAt), .text(state.rawValue), .time(startedAt), .time(completedAt),
      .integer(Int64(counts.targeted)), .integer(Int64(counts.sent)),
      .integer(Int64(counts.rejected)), .integer(Int64(counts.uninstalled)),
      .integer(Int64(counts.delivered)), .integer(Int64(counts.displayed)),
      .integer(Int64(counts.opened)), .time(scheduledAt), .bool(isLocalTime), .time(expiresAt),
      .optional(throttlePerSecond.map { Int64($0) }), .optional(idempotencyKey),
      fingerprint.isEmpty ? .null : .blob(fingerprint), .optional(group), .optional(failure),
      .integer(Int64(counts.openedIndirectly)), .integer(Int64(tally.answered)),
      .integer(Int64(tally.invalid)), .integer(Int64(suspicion.rawValue)),
      .optional(activity?.id), activity.map { .json($0.json) } ?? .null, .optional(trace),
      .optional(name), labels.isEmpty ? .null : .json(.array(labels.map(JSONValue.string))),
      .optional(origin?.campaign), .optional(origin?.run), .optional(origin?.phase.rawValue),
      .optional(origin?.variant), .integer(Int64(counts.quiet)),
      .integer(Int64(counts.capped)), .integer(Int64(capping.rawValue)),
      state.isOver ? .null : .time(expiresAt),
    ]
  }

  /// Reads a row of ``selection``.
  init(row: inout SQLRow) {
    let app = row.text("app_id")
    self.init(
      id: row.text("id"), messageID: row.text("message_id"), app: app,
      audience: row.text("audience"), payload: row.json("payload"),
      createdAt: row.time("created_at"))
    state = State(rawValue: row.text("state")) ?? .scheduled
    startedAt = row.optionalTime("started_at")
    completedAt = row.optionalTime("completed_at")
    counts.targeted = row.int("targeted")
    counts.sent = row.int("sent")
    counts.rejected = row.int("rejected")
    counts.uninstalled = row.int("uninstalled")
    counts.delivered = row.int("delivered")
    counts.displayed = row.int("displayed")
    counts.opened = row.int("opened")
    scheduledAt = row.optionalTime("scheduled_at")
    isLocalTime = row.bool("local_time")
    expiresAt = row.optionalTime("expires_at")
    throttlePerSecond = row.optionalInt("throttle")
    idempotencyKey = row.optionalText("idempotency_key")
    fingerprint = row.blob("fingerprint")
    group = row.optionalText("group_name")
    failure = row.optionalText("failure")
    counts.openedIndirectly = row.int("indirect")
    tally.answered = row.int("answered")
    tally.invalid = row.int("invalid")
    suspicion = .init(rawValue: row.int("suspicion")) ?? .none
    if let id = row.optionalText("activity") {
      activity = ActivityPush(id, row.json("activity_push"))
    } else {
      row.skip("activity_push")
    }
    trace = row.optionalText("trace")
    name = row.optionalText("name")
    labels = Self.labels(row.optionalText("labels"))
    let (campaign, run) = (row.optionalText("campaign"), row.optionalText("run"))
    let phase = row.optionalText("phase").flatMap(CampaignRun.Phase.init(rawValue:))
    let variant = row.optionalText("variant")
    if let campaign, let run, let phase, let variant {
      origin = RunOrigin(campaign: campaign, run: run, phase: phase, variant: variant)
    }
    counts.quiet = row.int("quiet")
    counts.capped = row.int("capped")
    capping = Capping(rawValue: row.int("capping"))
  }

  /// The labels of a column, a JSON array of texts; without one there are none.
  static func labels(_ stored: String?) -> [String] {
    let value = stored.flatMap { try? JSONValue(parsing: $0) }
    return (value?.array ?? []).compactMap(\.string)
  }
}

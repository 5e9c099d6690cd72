import PushPayload

/// A send as a row of `sends`.
extension Send {
  static let columns: SQL = """
    id, message_id, audience, payload, created_at, state, started_at, completed_at, \
    targeted, sent, rejected, uninstalled, delivered, displayed, opened, scheduled_at, local_time, \
    expires_at, throttle, idempotency_key, fingerprint, group_name, failure, indirect, \
    answered, invalid, suspicion, activity, activity_push, trace, \
    name, labels, campaign, run, phase, variant, quiet, capped, capping
    """
  /// The id of the app, whose number a row of `sends` has, and ``columns``.
  static let selection: SQL =
    "(SELECT apps.id FROM apps WHERE apps.number = sends.app) AS app_id, \(columns)"

  /// The values of ``columns``.
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
    ]
  }

  /// Reads a row of ``selection``.
  init(row: inout SQLRow) throws {
    let app = try row.text("app_id")
    self.init(
      id: try row.text("id"), messageID: try row.text("message_id"), app: app,
      audience: try row.text("audience"), payload: try row.json("payload"),
      createdAt: try row.time("created_at"))
    state = try row.word("state")
    startedAt = try row.optionalTime("started_at")
    completedAt = try row.optionalTime("completed_at")
    counts.targeted = try row.int("targeted")
    counts.sent = try row.int("sent")
    counts.rejected = try row.int("rejected")
    counts.uninstalled = try row.int("uninstalled")
    counts.delivered = try row.int("delivered")
    counts.displayed = try row.int("displayed")
    counts.opened = try row.int("opened")
    scheduledAt = try row.optionalTime("scheduled_at")
    isLocalTime = try row.bool("local_time")
    expiresAt = try row.optionalTime("expires_at")
    throttlePerSecond = try row.optionalInt("throttle")
    idempotencyKey = try row.optionalText("idempotency_key")
    fingerprint = try row.optionalBlob("fingerprint") ?? []
    group = try row.optionalText("group_name")
    failure = try row.optionalText("failure")
    counts.openedIndirectly = try row.int("indirect")
    tally.answered = try row.int("answered")
    tally.invalid = try row.int("invalid")
    let level = try row.int("suspicion")
    guard let suspicion = InvalidationGuard.Suspicion(rawValue: level) else {
      throw row.fault("suspicion", "is \(level), which is not known")
    }
    self.suspicion = suspicion
    if let id = try row.optionalText("activity") {
      activity = try row.value("activity_push") { ActivityPush(id, $0) }
    } else {
      row.skip("activity_push")
    }
    trace = try row.optionalText("trace")
    name = try row.optionalText("name")
    labels = try row.optionalValue("labels", \.texts) ?? []
    origin = try RunOrigin(row: &row)
    counts.quiet = try row.int("quiet")
    counts.capped = try row.int("capped")
    capping = Capping(rawValue: try row.int("capping"))
    guard Capping.known.isSuperset(of: capping) else {
      throw row.fault("capping", "is \(capping.rawValue), which is not known")
    }
  }
}

extension Send.RunOrigin {
  /// Reads the columns `campaign`, `run`, `phase` and `variant`; `nil` if all of them are NULL.
  init?(row: inout SQLRow) throws {
    let (campaign, run) = try (row.optionalText("campaign"), row.optionalText("run"))
    let phase = try row.optionalWord("phase", CampaignRun.Phase.self)
    let variant = try row.optionalText("variant")
    guard let campaign, let run, let phase, let variant else {
      guard campaign == nil, run == nil, phase == nil, variant == nil else {
        throw row.fault("campaign", "does not go with its run, phase and variant")
      }
      return nil
    }
    self.init(campaign: campaign, run: run, phase: phase, variant: variant)
  }
}

import PushModel
import PushPayload

/// A send as a row of `sends`.
extension Send {
  /// The columns of a row, except the app's number and `ends_at`, in the order of a statement.
  private static let fields: [SendField] = [
    SendField("id", \.id) { try $0.text($1) },
    SendField("message_id", \.messageID) { try $0.text($1) },
    SendField("audience", \.audience) { try $0.text($1) },
    SendField("payload", \.payload) { try $0.json($1) },
    SendField("created_at", \.createdAt) { try $0.time($1) },
    SendField("state", value: { .text($0.state.rawValue) }) { $0.state = try $1.word("state") },
    SendField("started_at", \.startedAt) { try $0.optionalTime($1) },
    SendField("completed_at", \.completedAt) { try $0.optionalTime($1) },
    SendField("targeted", \.counts.targeted) { try $0.int($1) },
    SendField("sent", \.counts.sent) { try $0.int($1) },
    SendField("rejected", \.counts.rejected) { try $0.int($1) },
    SendField("uninstalled", \.counts.uninstalled) { try $0.int($1) },
    SendField("delivered", \.counts.delivered) { try $0.int($1) },
    SendField("displayed", \.counts.displayed) { try $0.int($1) },
    SendField("opened", \.counts.opened) { try $0.int($1) },
    SendField("scheduled_at", \.scheduledAt) { try $0.optionalTime($1) },
    SendField("local_time", \.isLocalTime) { try $0.bool($1) },
    SendField("expires_at", \.expiresAt) { try $0.optionalTime($1) },
    SendField("throttle", \.throttlePerSecond) { try $0.optionalInt($1) },
    SendField("idempotency_key", \.idempotencyKey) { try $0.optionalText($1) },
    SendField("fingerprint", value: { $0.fingerprint.isEmpty ? .null : .blob($0.fingerprint) }) {
      $0.fingerprint = try $1.optionalBlob("fingerprint") ?? []
    },
    SendField("group_name", \.group) { try $0.optionalText($1) },
    SendField("failure", \.failure) { try $0.optionalText($1) },
    SendField("indirect", \.counts.openedIndirectly) { try $0.int($1) },
    SendField("answered", \.tally.answered) { try $0.int($1) },
    SendField("invalid", \.tally.invalid) { try $0.int($1) },
    SendField("suspicion", value: { $0.suspicion.rawValue.sqlValue }) {
      let level = try $1.int("suspicion")
      guard let suspicion = InvalidationGuard.Suspicion(rawValue: level) else {
        throw $1.fault("suspicion", "is \(level), which is not known")
      }
      $0.suspicion = suspicion
    },
    SendField(
      ["activity", "activity_push"],
      values: { [.optional($0.activity?.id), .optional($0.activity?.json)] }
    ) {
      if let id = try $1.optionalText("activity") {
        $0.activity = try $1.value("activity_push") { ActivityPush(id, $0) }
      } else {
        $1.skip("activity_push")
      }
    },
    SendField("trace", \.trace) { try $0.optionalText($1) },
    SendField("name", \.name) { try $0.optionalText($1) },
    SendField(
      "labels",
      value: { $0.labels.isEmpty ? .null : .json(.array($0.labels.map(JSONValue.string))) }
    ) { $0.labels = try $1.optionalValue("labels", \.texts) ?? [] },
    SendField(
      ["campaign", "run", "phase", "variant"],
      values: {
        [
          .optional($0.origin?.campaign), .optional($0.origin?.run),
          .optional($0.origin?.phase.rawValue), .optional($0.origin?.variant),
        ]
      }
    ) { $0.origin = try RunOrigin(row: &$1) },
    SendField("quiet", \.counts.quiet) { try $0.int($1) },
    SendField("capped", \.counts.capped) { try $0.int($1) },
    SendField("capping", value: { $0.capping.rawValue.sqlValue }) {
      $0.capping = Capping(rawValue: try $1.int("capping"))
      guard Capping.known.isSuperset(of: $0.capping) else {
        throw $1.fault("capping", "is \($0.capping.rawValue), which is not known")
      }
    },
    SendField("class", value: { .optional($0.namedClass?.rawValue) }) {
      $0.namedClass = try $1.optionalWord("class")
    },
    SendField("quiet_hours", value: { .optional($0.quietHours?.text) }) {
      $0.quietHours = try $1.optionalParsed("quiet_hours", QuietHours.init(text:))
    },
  ]

  static let columns: SQL = "\(raw: fields.flatMap(\.names).joined(separator: ", "))"
  /// The id of the app, whose number a row of `sends` has, and ``columns``.
  static let selection: SQL =
    "(SELECT apps.id FROM apps WHERE apps.number = sends.app) AS app_id, \(columns)"

  /// The values of ``columns``.
  var values: [SQLValue] { Self.fields.flatMap { $0.values(self) } }

  /// Reads a row of ``selection``.
  init(row: inout SQLRow) throws {
    self.init(
      id: "", messageID: "", app: try row.text("app_id"), audience: "", payload: .null,
      createdAt: Timestamp(milliseconds: 0))
    for field in Self.fields { try field.read(&self, &row) }
  }
}

/// A property of a send in one or several columns of `sends`.
private struct SendField: Sendable {
  let names: [String]
  /// The values of the columns.
  let values: @Sendable (Send) -> [SQLValue]
  /// Sets the property from a row.
  let read: @Sendable (inout Send, inout SQLRow) throws -> Void

  init(
    _ names: [String], values: @escaping @Sendable (Send) -> [SQLValue],
    read: @escaping @Sendable (inout Send, inout SQLRow) throws -> Void
  ) {
    (self.names, self.values, self.read) = (names, values, read)
  }

  init(
    _ name: String, value: @escaping @Sendable (Send) -> SQLValue,
    read: @escaping @Sendable (inout Send, inout SQLRow) throws -> Void
  ) {
    self.init([name], values: { [value($0)] }, read: read)
  }

  /// Makes the field of a property that a column holds as it is.
  init<Value: SQLValueConvertible & SendableMetatype>(
    _ name: StaticString, _ property: any WritableKeyPath<Send, Value> & Sendable,
    read: @escaping @Sendable (inout SQLRow, StaticString) throws -> Value
  ) {
    self.init("\(name)", value: { $0[keyPath: property].sqlValue }) {
      $0[keyPath: property] = try read(&$1, name)
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

import PushModel
import PushPayload

extension Operation {
  static let setWidgetTokens = Operation(
    id: "setWidgetTokens",
    summary: "Replaces the push token of a device's widgets; an empty list removes it.",
    body: .closed([
      "tokens": .array(.named("WidgetToken"), 0...ReloadType.widgets.tokenLimit)
    ]), status: 204, refusals: [451])

  static let setControlTokens = Operation(
    id: "setControlTokens",
    summary: "Replaces the push tokens of a device's controls; an empty list removes them.",
    body: .closed([
      "tokens": .array(.named("ControlToken"), 0...ReloadType.controls.tokenLimit)
        .setting("uniqueItems", to: true).described("the tokens of all controls")
    ]), status: 204, refusals: [451])

  static let createReload = Operation(
    id: "createReload",
    summary: "Reloads widgets or controls on devices, and answers with what APNs said.",
    body: .closed(["reload": .named("NewReload")]),
    example: ["reload": ["type": "widgets", "devices": ["phone-1"]]],
    answer: .object(["reload": .named("Reload")]), refusals: [404, 409])
}

/// The schemas of widgets and controls.
enum ReloadSchemas {
  static let type = Schema.oneOf(ReloadType.allCases.map(\.rawValue))

  static let all: [String: Schema] = [
    "WidgetToken": .closed(["token": ActivitySchemas.token]),
    "ControlToken": .closed([
      "token": ActivitySchemas.token,
      "kind": kind.described("the kind of the control, for requests that reload some kinds")
        .optional,
    ]),
    "StoredReloadToken": .object([
      "type": type, "token": .string, "kind": .string.nullable, "registered_at": .time,
    ]),
    "NewReload": .one(of: [.named("WidgetReload"), .named("ControlReload")]),
    "WidgetReload": .closed([
      "type": .constant(ReloadType.widgets.rawValue), "devices": devices,
      "targets": .named("Target").optional,
    ]).either("devices", or: "targets"),
    "ControlReload": .closed([
      "type": .constant(ReloadType.controls.rawValue),
      "kinds": .array(kind, 1...NewReload.kindLimit).described(
        "the kinds of controls; without it controls of every kind"
      ).optional,
      "devices": devices, "targets": .named("Target").optional,
    ]).either("devices", or: "targets"),
    "Reload": .object([
      "tokens": .count.described("the tokens that the request names"),
      "sent": .count.described("pushes that APNs has accepted"),
      "held": .count.described(
        "tokens that have had \(ReloadBudget.limit) reloads in 24 hours, to which nothing was sent"),
      "gone": .count.described("tokens that APNs does not know any more, which are removed"),
      "failed": .count,
      "outcomes": .array(.named("ReloadOutcome")).described(
        "what was not sent, at most \(ReloadRoutes.outcomeLimit)"),
    ]),
    "ReloadOutcome": .object([
      "device_id": .named("DeviceID"),
      "result": .oneOf(["held", "gone", "failed"]),
      "status": .integer.nullable.described("the HTTP status of APNs"),
      "reason": .string.nullable, "advice": .string.nullable,
    ]),
  ]

  private static let devices = Schema.array(
    .named("DeviceID"), 1...NewActivityPush.deviceLimit
  ).described("the devices; a reload has devices or targets").optional

  private static let kind = Schema.string(1...NewReload.kindLength)
}

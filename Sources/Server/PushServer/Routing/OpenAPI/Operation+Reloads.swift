import PushModel
import PushPayload

extension Operation {
  static let setReloadTokens = Operation(
    id: "setReloadTokens",
    summary: "Replaces a device's push tokens of widgets or controls; an empty list removes them.",
    body: .closed([
      "tokens": .array(.named("ReloadToken"), 0...ReloadType.controls.tokenLimit).described(
        "all tokens of the type: at most one of widgets, and one of each control")
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
    "ReloadType": type,
    "ReloadToken": .closed([
      "token": ActivitySchemas.token,
      "kind": kind.described("the kind of the control, for requests that reload some kinds")
        .optional,
    ]),
    "StoredReloadToken": .object([
      "type": type, "token": .string, "kind": .string.nullable, "registered_at": .time,
    ]),
    "NewReload": .closed([
      "type": type,
      "kinds": .array(kind, 1...NewReload.kindLimit).described(
        "the kinds of controls; without it controls of every kind"
      ).optional,
      "devices": .array(.named("DeviceID"), 1...NewActivityPush.deviceLimit).described(
        "the devices; a reload has devices or targets"
      ).optional,
      "targets": .named("Target").optional,
    ]),
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

  private static let kind = Schema.string(1...NewReload.kindLength)
}

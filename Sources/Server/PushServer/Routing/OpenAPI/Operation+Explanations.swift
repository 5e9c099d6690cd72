import PushPayload

extension Operation {
  static let listExplanations = Operation(
    id: "listExplanations",
    summary: "Why each device of a user got a notification or did not; 100 devices at most.",
    parameters: [user], answer: explanations)

  static let readExplanation = Operation(
    id: "readExplanation", summary: "Why a device got a notification or did not.",
    answer: explanation)

  static let listRunExplanations = Operation(
    id: "listRunExplanations",
    summary: "Why each device of a user got what a run sent or did not; 100 devices at most.",
    parameters: [user], answer: explanations)

  static let readRunExplanation = Operation(
    id: "readRunExplanation", summary: "Why a device got what a run sent or did not.",
    answer: explanation)

  static let explainDelivery = Operation(
    id: "explainDelivery",
    summary: """
      The way of a notification to a device or to a user's devices, from the call to the lock screen, with the \
      first cause why it was not shown. Give one of notification, run and campaign, and one of device and user.
      """,
    parameters: [
      .query("notification", id.described("the id of a notification, or of its message")),
      .query("run", id.described("the id of a campaign's run")),
      .query(
        "campaign",
        id.described("the id of a campaign, whose last run is meant, or the next if none has begun")
      ),
      .query("device", id.described("the id of a device")),
      .query(
        "user", id.described("the id of a user; the device that it has got furthest is told whole")),
    ],
    answer: .named("Timeline"), refusals: [404])

  private static let id = Schema.string(1...255)
  private static let user = Parameter.query(
    "user_id", Schema.string.described("the user whose devices are explained"), isRequired: true)
  private static let explanation = Schema.object(["explanation": .named("Explanation")])
  private static let explanations = Schema.object(["explanations": .array(.named("Explanation"))])
}

enum ExplanationSchemas {
  static let all: [String: Schema] = [
    "Timeline": .object([
      "device_id": .string, "notification_id": .string.nullable,
      "verdict": .named("TimelineVerdict"),
      "steps": .array(.named("TimelineStep")),
      "devices": .array(.named("DeviceVerdict"), 1...Actions.timelineDeviceLimit).described(
        "the devices of the question, the one whose steps are told first"),
    ]),
    "TimelineVerdict": .object([
      "code": .string.described(
        "that of the first step that is a cause, shown, received, or not_known"),
      "text": .string, "advice": .string.nullable,
    ]),
    "TimelineStep": .object([
      "at": .time.nullable, "stage": .oneOf(DeliveryTimeline.Stage.allCases.map(\.rawValue)),
      "title": .string,
      "code": .string.described("a stable word; that of a refusal is APNs' reason"),
      "text": .string, "known": .boolean.described("whether it is a fact"),
      "cause": .boolean.described("whether it is a reason why the notification is not shown whole"),
      "advice": .string.nullable,
      "link": .string.nullable.described("the path of the API that has more"),
    ]),
    "DeviceVerdict": .object([
      "device_id": .string, "notification_id": .string.nullable,
      "verdict": .named("TimelineVerdict"), "last_opened": .time.nullable,
    ]),
    "Explanation": .object([
      "device_id": .string,
      "code": .oneOf(DeliveryFacts.Code.allCases.map(\.rawValue)),
      "message": .string.described("the reason in words"),
      "notification_id": Schema.string.nullable.described(
        "the notification that was for the device, which of a run's may be another than asked for"),
      "message_id": Schema.string.nullable.described(
        "the in-app message that was for the device"),
      "variant": Schema.string.nullable.described("the variant of the campaign that was for it"),
      "status": Schema.integer.nullable.described("the status of APNs' answer"),
      "reason": Schema.string.nullable.described("the reason in APNs' answer"),
      "apns_id": .string.nullable,
      "development": .boolean.described(
        "whether the device's token is of Apple's development environment"),
    ]),
  ]
}

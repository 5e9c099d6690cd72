import PushPayload

extension Operation {
  static let explainNotification = Operation(
    id: "explainNotification",
    summary: "Why a device, or each device of a user, got a notification or did not.",
    parameters: explained, answer: explanations)

  static let explainRun = Operation(
    id: "explainRun",
    summary: "Why a device, or each device of a user, got what a run sent or did not.",
    parameters: explained, answer: explanations)

  private static let explained: [Parameter] = [
    .query("device_id", Schema.string.described("the device; without it the query has user_id")),
    .query("user_id", Schema.string.described("the user whose devices are explained")),
  ]

  private static let explanations = Schema.object(["explanations": .array(.named("Explanation"))])
}

enum ExplanationSchemas {
  static let all: [String: Schema] = [
    "Explanation": .object([
      "device_id": .string,
      "code": .oneOf(DeliveryFacts.Code.allCases.map(\.rawValue)),
      "message": .string.described("the reason in words"),
      "notification_id": Schema.string.nullable.described(
        "the notification that was for the device, which of a run's may be another than asked for"),
      "variant": Schema.string.nullable.described("the variant of the campaign that was for it"),
      "status": Schema.integer.nullable.described("the status of APNs' answer"),
      "reason": Schema.string.nullable.described("the reason in APNs' answer"),
      "apns_id": .string.nullable,
      "development": .boolean.described(
        "whether the device's token is of Apple's development environment"),
    ])
  ]
}

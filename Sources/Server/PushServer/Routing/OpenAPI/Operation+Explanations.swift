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

  private static let user = Parameter.query(
    "user_id", Schema.string.described("the user whose devices are explained"), isRequired: true)
  private static let explanation = Schema.object(["explanation": .named("Explanation")])
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
      "message_id": Schema.string.nullable.described(
        "the in-app message that was for the device"),
      "variant": Schema.string.nullable.described("the variant of the campaign that was for it"),
      "status": Schema.integer.nullable.described("the status of APNs' answer"),
      "reason": Schema.string.nullable.described("the reason in APNs' answer"),
      "apns_id": .string.nullable,
      "development": .boolean.described(
        "whether the device's token is of Apple's development environment"),
    ])
  ]
}

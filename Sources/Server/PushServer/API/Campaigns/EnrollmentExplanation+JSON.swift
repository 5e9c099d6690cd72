import PushModel
import PushPayload

extension EnrollmentExplanation {
  var json: JSONValue {
    let (code, message) = reason
    return [
      "device_id": .string(device.id), "code": .string(code.rawValue),
      "message": .string(message),
      "enrolled_at": .optional(enrollment?.enteredAt.iso8601),
      "round": enrollment.map { .integer(Int64($0.round)) } ?? .null,
      "step": enrollment.map { .integer(Int64(max(1, $0.step))) } ?? .null,
      "due_at": .optional(enrollment?.dueAt?.iso8601),
      "ended_at": .optional(enrollment?.endedAt?.iso8601),
      "notification_id": .optional(send?.id), "message_id": .optional(self.message?.id),
      "variant": .optional((send?.origin ?? self.message?.origin)?.variant),
    ]
  }
}

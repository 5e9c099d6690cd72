import PushModel
import PushPayload

extension Send {
  /// The notification's state and counts, as a read answers them.
  var answer: JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(id),
      "state": .string(state.rawValue),
      "class": .string(sendClass.rawValue),
      "created_at": .string(createdAt.iso8601),
      "started_at": .optional(startedAt?.iso8601),
      "completed_at": .optional(completedAt?.iso8601),
      "to": ["id": .string(audience), "type": "Audience"],
      "counts": [
        "targeted": .integer(Int64(counts.targeted)),
        "sent": .integer(Int64(counts.sent)),
        "rejected": .integer(Int64(counts.rejected)),
        "quiet": .integer(Int64(counts.quiet)), "capped": .integer(Int64(counts.capped)),
        "uninstalled": .integer(Int64(counts.uninstalled)),
        "expired": .integer(Int64(expiredCount)),
        "delivered": .integer(Int64(counts.delivered)),
        "displayed": .integer(Int64(counts.displayed)),
        "opened": .integer(Int64(counts.opened)),
      ],
    ]
    if let failure { members["reason"] = .string(failure) }
    if let name { members["name"] = .string(name) }
    if !labels.isEmpty { members["labels"] = .array(labels.map(JSONValue.string)) }
    if let origin {
      members["campaign"] = [
        "id": .string(origin.campaign), "run": .string(origin.run),
        "phase": .string(origin.phase.rawValue), "variant": .string(origin.variant),
      ]
    }
    return .object(members)
  }
}

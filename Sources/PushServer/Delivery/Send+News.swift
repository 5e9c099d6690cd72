import PushPayload
import PushStore

/// What webhooks hear of a send.
extension Send {
  /// `notification.sending`, `.paused`, `.complete`, `.canceled`, `.failed`.
  var event: String { "notification.\(state == .pausing ? "paused" : state.rawValue)" }

  var news: JSONValue {
    [
      "id": .string(id), "message_id": .string(messageID), "state": .string(state.rawValue),
      "created_at": .string(createdAt.iso8601),
      "started_at": .optional(startedAt?.iso8601),
      "completed_at": .optional(completedAt?.iso8601),
      "reason": .optional(failure),
      "counts": [
        "targeted": .integer(Int64(counts.targeted)), "sent": .integer(Int64(counts.sent)),
        "rejected": .integer(Int64(counts.rejected)),
        "uninstalled": .integer(Int64(counts.uninstalled)),
      ],
    ]
  }
}

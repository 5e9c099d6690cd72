import PushPayload

extension Send {
  /// The notice to webhooks about the send's state.
  package func webhookNotice(at now: Timestamp) -> WebhookNotice {
    WebhookNotice(app: app, event: "notification.\(state.rawValue)", data: members, at: now)
  }

  private var members: JSONValue {
    [
      "id": .string(id), "message_id": .string(messageID), "state": .string(state.rawValue),
      "created_at": .string(createdAt.iso8601),
      "started_at": startedAt.map { .string($0.iso8601) } ?? .null,
      "completed_at": completedAt.map { .string($0.iso8601) } ?? .null,
      "reason": failure.map(JSONValue.string) ?? .null,
      "counts": [
        "targeted": .integer(Int64(counts.targeted)), "sent": .integer(Int64(counts.sent)),
        "rejected": .integer(Int64(counts.rejected)),
        "uninstalled": .integer(Int64(counts.uninstalled)),
        "expired": .integer(Int64(expiredCount)),
      ],
    ]
  }
}

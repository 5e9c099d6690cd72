import PushModel
import PushPayload

extension Campaign {
  var members: [String: JSONValue] {
    [
      "id": .string(id), "name": .string(name),
      "labels": .array(labels.map(JSONValue.string)), "kind": .string(kind.rawValue),
      "state": .string(state.rawValue), "version": .integer(Int64(version)),
      "created_at": .string(createdAt.iso8601), "updated_at": .string(updatedAt.iso8601),
      "approval": approvalAnswer,
    ]
  }

  /// The campaign in a list, without its document.
  var listed: JSONValue { .object(members) }

  var answer: JSONValue {
    .object((document.object ?? [:]).merging(members) { $1 })
  }

  /// The approval in an answer; `null` if nobody has submitted the campaign.
  private var approvalAnswer: JSONValue {
    guard let approval else { return .null }
    return [
      "state": .string(approval.version == version ? approval.state.rawValue : "outdated"),
      "version": .integer(Int64(approval.version)),
      "submitted_by": .string(approval.submittedBy),
      "submitted_at": .string(approval.submittedAt.iso8601),
      "decided_by": .optional(approval.decidedBy),
      "decided_at": .optional(approval.decidedAt?.iso8601), "note": .optional(approval.note),
    ]
  }
}

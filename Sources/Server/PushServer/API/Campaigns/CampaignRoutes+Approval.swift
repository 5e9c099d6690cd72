import PushPayload
import PushStore
import _HTTPServer

/// The approval of a draft by a second key or person.
extension CampaignRoutes {
  /// The largest number of characters in the reason for a rejection.
  static let noteLimit = 1000

  static func submit(_ call: Call, _ api: API) async throws -> HTTPResponse {
    try await apply(.submit, version: nil, as: "submit", call: call, api: api)
  }

  static func approve(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let version = try Self.version(try call.json())
    return try await apply(.approve, version: version, as: "approve", call: call, api: api)
  }

  static func reject(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let body = try call.json()
    let note = try body["note"].map { value throws(RequestError) in
      let note = try value.string()
      guard note.count <= noteLimit else {
        throw .refused(value.path, "must be at most \(noteLimit) characters")
      }
      return note
    }
    return try await apply(
      .reject(note: note), version: try version(body), as: "reject", call: call, api: api)
  }

  /// The version of the draft that the caller has read, and that the decision is about.
  private static func version(_ body: BodyValue) throws(RequestError) -> Int {
    Int(try body.required("version").integer(in: 1...Int64(Int32.max)))
  }

  static func apply(
    _ kind: CampaignApproval.Event.Kind, version: Int?, as action: String, call: Call, api: API
  ) async throws -> HTTPResponse {
    let known = try await campaign(call, api)
    let event = CampaignApproval.Event(
      kind, version: version, by: try call.actor.id, at: api.clock.now())
    do {
      let store = api.actions.store(for: call.actor, "campaign.\(action)", known.id)
      guard let campaign = try await store.apply(event, toCampaign: known.id, app: known.app)
      else { throw RequestError.notFound("campaign with this id") }
      return .json(["campaign": campaign.answer])
    } catch let error as StoreError where error.code == .forbidden {
      throw RequestError(.forbidden, error.message)
    }
  }
}

extension Campaign {
  /// The approval in an answer; `null` if nobody has submitted the campaign.
  var approvalAnswer: JSONValue {
    guard let approval else { return .null }
    return [
      "state": .string(isOutdated(approval) ? "outdated" : approval.state.rawValue),
      "version": .integer(Int64(approval.version)),
      "submitted_by": .string(approval.submittedBy),
      "submitted_at": .string(approval.submittedAt.iso8601),
      "decided_by": .optional(approval.decidedBy),
      "decided_at": .optional(approval.decidedAt?.iso8601), "note": .optional(approval.note),
    ]
  }

  private func isOutdated(_ approval: CampaignApproval) -> Bool { approval.version != version }
}

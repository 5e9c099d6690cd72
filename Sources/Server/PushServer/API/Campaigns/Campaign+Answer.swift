import PushPayload
import PushStore
import _HTTPServer
import _OpenSSLCrypto

extension Campaign {
  /// Takes over the name, labels and document of a request after checking all of them.
  ///
  /// - Returns: Whether a payload of the campaign is forced.
  mutating func take(
    _ field: BodyValue, at now: Timestamp, _ api: API
  ) async throws -> Bool {
    let field = try await TemplateReference.resolve(in: field, app: app, api.store)
    let naming = try SendNaming(field)
    guard let name = naming.name else { throw RequestError.missing(field.path(to: "name")) }
    let plan = try CampaignPlan(field, at: now)
    let audience = try await plan.target.audience(app: app, at: now, api.store)
    _ = try await api.audiences.count(of: audience, at: now)
    var members = try field.object()
    members["name"] = nil
    members["labels"] = nil
    (self.name, labels, document) = (name, naming.labels, .object(members))
    switch plan.rule?.entry {
    case .enters(let id), .leaves(let id):
      guard try await api.store.audience(id, app: app) != nil else {
        throw RequestError.notFound("audience \(id.prefix(64)) for people to enter or leave")
      }
    case .event, .call, nil: break
    }
    kind = plan.rule != nil ? .triggered : plan.schedule == nil ? .once : .recurring
    return plan.isForced
  }

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
}

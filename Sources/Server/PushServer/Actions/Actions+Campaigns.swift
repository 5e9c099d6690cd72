import PushModel
import PushPayload

/// The drafts of campaigns.
extension Actions {
  /// The campaign with an id.
  ///
  /// - Throws: ``RequestError`` `.notFound` if the app has no such campaign.
  func campaign(_ id: String, app: String) async throws -> Campaign {
    guard let campaign = try await store.campaign(id, app: app) else {
      throw RequestError.notFound("campaign with this id")
    }
    return campaign
  }

  /// Makes a draft of the `campaign` in a request.
  ///
  /// - Returns: The draft, or that of the first request if this one is a repeat.
  func createCampaign(
    _ field: BodyValue, repeating key: IdempotencyKey?, by actor: Actor
  ) async throws -> Campaign {
    try actor.require(.write, to: "write a campaign")
    let app = try actor.ownApp()
    var campaign = Campaign(
      id: Identifiers.makeObjectID(), app: app, name: "", document: [:], createdAt: clock.now())
    if let key, let first = try await store.campaign(addedWith: key.text, app: app) {
      guard first.fingerprint == key.fingerprint else { throw IdempotencyKey.reused }
      return first.campaign
    }
    let isForced = try await replaceContent(of: &campaign, with: field)
    let recording = store(for: actor, "campaign.create", campaign.id, isForced: isForced)
    let first = try await recording.create(
      campaign, with: key.map { CampaignCall(key: $0.text, fingerprint: $0.fingerprint) })
    guard let first else { return campaign }
    guard first.fingerprint == key?.fingerprint else { throw IdempotencyKey.reused }
    return first.campaign
  }

  /// Replaces a draft; `version` is the one that the caller knows, and `nil` replaces any version.
  func updateCampaign(
    _ id: String, to field: BodyValue, version: Int? = nil, by actor: Actor
  ) async throws -> Campaign {
    try actor.require(.write, to: "write a campaign")
    var campaign = try await campaign(id, app: try actor.ownApp())
    guard campaign.state == .draft else {
      throw RequestError(
        .conflict,
        "the campaign is \(campaign.state.rawValue); duplicate it, and change the duplicate")
    }
    let isForced = try await replaceContent(of: &campaign, with: field)
    // The store refuses a version that does not follow the stored one.
    campaign.version = (version ?? campaign.version) + 1
    campaign.updatedAt = clock.now()
    try await store(for: actor, "campaign.update", campaign.id, isForced: isForced).save(campaign)
    return campaign
  }

  /// Makes a draft with the content of another campaign.
  func duplicateCampaign(_ id: String, by actor: Actor) async throws -> Campaign {
    try actor.require(.write, to: "write a campaign")
    let (old, now) = (try await campaign(id, app: try actor.ownApp()), clock.now())
    var copy = Campaign(
      id: Identifiers.makeObjectID(), app: old.app, name: old.name, document: old.document,
      createdAt: now)
    (copy.labels, copy.kind) = (old.labels, old.kind)
    // A start time in the past is replaced, because the copy could not start with it.
    if let at = try CampaignPlan(stored: old.document, at: now).at, at <= now,
      var members = old.document.object
    {
      var when = members["when"]?.object ?? [:]
      when["at"] = "now"
      // A time on each device's clock must be a date.
      when["local_time"] = nil
      members["when"] = .object(when)
      copy.document = .object(members)
    }
    try await store(for: actor, "campaign.create", copy.id).save(copy)
    return copy
  }

  /// Replaces the name, labels and document of a campaign after checking all of them.
  ///
  /// - Returns: Whether a payload of the campaign is forced.
  private func replaceContent(
    of campaign: inout Campaign, with field: BodyValue
  ) async throws -> Bool {
    let (app, now) = (campaign.app, clock.now())
    let field = try await TemplateReference.resolve(in: field, app: app, store)
    let naming = try SendNaming(field)
    guard let name = naming.name else { throw RequestError.missing(field.path(to: "name")) }
    let plan = try CampaignPlan(field, at: now)
    let audience = try await plan.target.audience(app: app, at: now, store)
    _ = try await audiences.count(of: audience, at: now)
    var members = try field.object()
    members["name"] = nil
    members["labels"] = nil
    (campaign.name, campaign.labels, campaign.document) = (name, naming.labels, .object(members))
    switch plan.rule?.entry {
    case .enters(let id), .leaves(let id):
      guard try await store.audience(id, app: app) != nil else {
        throw RequestError.notFound("audience \(id.prefix(64)) for people to enter or leave")
      }
    case .event, .call, nil: break
    }
    campaign.kind = plan.rule != nil ? .triggered : plan.schedule == nil ? .once : .recurring
    return plan.isForced
  }
}

import PushPayload
import PushStore
import _HTTPServer
import _OpenSSLCrypto

/// `/campaigns`: messages in variants, from a draft to their end.
enum CampaignRoutes {
  static let all: [Route] = [
    Route(
      "GET", "/v6/campaigns", access: .app([.push]), operation: .listCampaigns, handler: list),
    Route(
      "POST", "/v6/campaigns", access: .app([.push]), body: "application/json",
      operation: .createCampaign,
      handler: { call, api in
        .json(status: 201, ["campaign": try await create(call, api).answer])
      }),
    Route(
      "POST", "/v6/campaigns/:campaign_id/test", access: .app([.push]), body: "application/json",
      operation: .testCampaign, handler: test),
    Route(
      "POST", "/v6/campaigns/:campaign_id/submit", access: .app([.push]),
      operation: .submitCampaign, handler: submit),
    Route(
      "POST", "/v6/campaigns/:campaign_id/approve", access: .app([.push]),
      body: "application/json", operation: .approveCampaign, handler: approve),
    Route(
      "POST", "/v6/campaigns/:campaign_id/reject", access: .app([.push]),
      body: "application/json", operation: .rejectCampaign, handler: reject),
    Route(
      "GET", "/v6/campaigns/:campaign_id", access: .app([.push]), operation: .readCampaign,
      handler: { call, api in .json(["campaign": try await campaign(call, api).answer]) }),
    Route(
      "PUT", "/v6/campaigns/:campaign_id", access: .app([.push]), body: "application/json",
      operation: .updateCampaign,
      handler: { call, api in .json(["campaign": try await update(call, api).answer]) }),
    Route(
      "DELETE", "/v6/campaigns/:campaign_id", access: .app([.push]),
      operation: .discardCampaign,
      handler: { try await apply(.discard, as: "discard", call: $0, api: $1) }),
    Route(
      "POST", "/v6/campaigns/:campaign_id/preview", access: .app([.push]),
      operation: .previewCampaign, handler: preview),
    Route(
      "POST", "/v6/campaigns/:campaign_id/start", access: .app([.push]),
      operation: .startCampaign,
      handler: { try await start($0, $1, version: nil) }),
    Route(
      "POST", "/v6/campaigns/:campaign_id/pause", access: .app([.push]),
      operation: .pauseCampaign,
      handler: { try await apply(.pause, as: "pause", call: $0, api: $1) }),
    Route(
      "POST", "/v6/campaigns/:campaign_id/resume", access: .app([.push]),
      operation: .resumeCampaign,
      handler: { try await apply(.resume, as: "resume", call: $0, api: $1) }),
    Route(
      "POST", "/v6/campaigns/:campaign_id/end", access: .app([.push]),
      operation: .endCampaign, handler: { try await apply(.end, as: "end", call: $0, api: $1) }),
    Route(
      "POST", "/v6/campaigns/:campaign_id/duplicate", access: .app([.push]),
      operation: .duplicateCampaign,
      handler: { call, api in
        .json(status: 201, ["campaign": try await duplicate(call, api).answer])
      }),
    Route(
      "POST", "/v6/campaigns/:campaign_id/trigger", access: .app([.push]),
      body: "application/json", operation: .triggerCampaign, handler: trigger),
    Route(
      "GET", "/v6/campaigns/:campaign_id/report", access: .app([.push, .analytics]),
      operation: .readCampaignReport, handler: report),
    Route(
      "GET", "/v6/campaigns/:campaign_id/explanations/:device_id", access: .app([.push]),
      operation: .readCampaignExplanation, handler: explanation),
    Route(
      "GET", "/v6/campaigns/:campaign_id/runs", access: .app([.push, .analytics]),
      operation: .listRuns, handler: runs),
  ]

  /// Applies an event, named by the last part of a route's path, to a campaign; `nil` if no event has that name.
  ///
  /// `version` is the version that the caller has seen, and the only one that may start. `nil` starts the
  /// current one.
  static func perform(
    _ action: String, call: Call, api: API, version: Int? = nil
  ) async throws -> HTTPResponse? {
    switch action {
    case "start": return try await start(call, api, version: version)
    case "pause": return try await apply(.pause, as: action, call: call, api: api)
    case "resume": return try await apply(.resume, as: action, call: call, api: api)
    case "end": return try await apply(.end, as: action, call: call, api: api)
    case "discard": return try await apply(.discard, as: action, call: call, api: api)
    default: return nil
    }
  }

  private static let pageSize = 50
  private static let runLimit = 100

  // MARK: Reading

  private static func list(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (app, now) = (try call.app(), api.clock.now())
    let query = CampaignQuery(
      try call.searchText(), label: call.label,
      state: try call.state(as: CampaignLifecycle.State.self))
    let mark = [query.text, query.label ?? "", query.state?.rawValue ?? ""].joined(separator: "\n")
    let list =
      "campaigns-\(app)-"
      + Identifiers.hex(Array(OpenSSLCrypto.sha256(Array(mark.utf8)).prefix(8)))
    let last = try call.cursor(of: list, at: now)?.position
    let page = try await api.store.campaigns(
      app: app, matching: query, after: last, limit: pageSize)
    return .json([
      "campaigns": .array(page.elements.map(\.listed)),
      "meta": [
        "cursor": Cursor.next(page.cursor, of: list, at: now), "total": .integer(Int64(page.total)),
      ],
    ])
  }

  private static func runs(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (campaign, now) = (try await campaign(call, api), api.clock.now())
    let list = "runs-\(campaign.id)"
    let last = try call.cursor(of: list, at: now)?.position
    let runs = try await api.store.runs(
      ofCampaign: campaign.id, app: campaign.app, before: last.flatMap { Int($0) },
      limit: runLimit + 1)
    let page = runs.prefix(runLimit)
    let position = runs.count > runLimit ? page.last.map { String($0.number) } : nil
    return .json([
      "runs": .array(page.map { .object($0.members) }),
      "meta": ["cursor": Cursor.next(position, of: list, at: now)],
    ])
  }

  static func campaign(_ call: Call, _ api: API) async throws -> Campaign {
    guard
      let campaign = try await api.store.campaign(call.parameter("campaign_id"), app: call.app())
    else { throw RequestError.notFound("campaign with this id") }
    return campaign
  }

  // MARK: Drafts

  static func create(_ call: Call, _ api: API) async throws -> Campaign {
    let (app, now) = (try call.app(), api.clock.now())
    let field = try call.json().required("campaign")
    var campaign = Campaign(
      id: Identifiers.makeObjectID(), app: app, name: "", document: [:], createdAt: now)
    let key = try call.idempotencyKey()
    if let key, let first = try await api.store.campaign(addedWith: key.text, app: app) {
      guard first.fingerprint == key.fingerprint else { throw IdempotencyKey.reused }
      return first.campaign
    }
    let isForced = try await campaign.take(field, at: now, api)
    let store = api.actions.store(
      for: call.actor, "campaign.create", campaign.id, isForced: isForced)
    let first = try await store.create(
      campaign, with: key.map { CampaignCall(key: $0.text, fingerprint: $0.fingerprint) })
    guard let first else { return campaign }
    guard first.fingerprint == key?.fingerprint else { throw IdempotencyKey.reused }
    return first.campaign
  }

  /// Replaces a draft; `version` is the one that the caller knows, and `nil` replaces any version.
  static func update(_ call: Call, _ api: API, version: Int? = nil) async throws -> Campaign {
    var campaign = try await campaign(call, api)
    guard campaign.state == .draft else {
      throw RequestError(
        .conflict,
        "the campaign is \(campaign.state.rawValue); duplicate it, and change the duplicate")
    }
    let now = api.clock.now()
    let isForced = try await campaign.take(
      try call.json().required("campaign"), at: now, api)
    // The store refuses a version that does not follow the stored one.
    campaign.version = (version ?? campaign.version) + 1
    campaign.updatedAt = now
    let store = api.actions.store(
      for: call.actor, "campaign.update", campaign.id, isForced: isForced)
    try await store.save(campaign)
    return campaign
  }

  static func duplicate(_ call: Call, _ api: API) async throws -> Campaign {
    let (old, now) = (try await campaign(call, api), api.clock.now())
    var copy = Campaign(
      id: Identifiers.makeObjectID(), app: old.app, name: old.name, document: old.document,
      createdAt: now)
    (copy.labels, copy.kind) = (old.labels, old.kind)
    // A start time in the past is replaced, because the copy could not start with it.
    if let at = try CampaignPlan(stored: old.document, at: now).at, at <= now,
      var members = old.document.object
    {
      members["when"] = ["at": "now"]
      copy.document = .object(members)
    }
    try await api.actions.store(for: call.actor, "campaign.create", copy.id).save(copy)
    return copy
  }

  /// The devices that each variant would get now, and the payload of each for a sample device.
  private static func preview(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (campaign, now) = (try await campaign(call, api), api.clock.now())
    let plan = try CampaignPlan(stored: campaign.document, at: now)
    let audience = try await plan.target.audience(app: campaign.app, at: now, api.store)
    let devices = try await api.actions.planner.devices(of: audience, for: plan, at: now)
    let limits = try await api.store.limits(app: campaign.app)
    let holdout = plan.obeysHoldout ? limits.holdout : nil
    let (arms, heldOut) = try await plan.split.divide(
      devices, app: campaign.app, salt: campaign.id, holdout: holdout, api.store)
    var variants: [JSONValue] = []
    for variant in plan.variants {
      let own = arms[.variant(variant.key)] ?? DeviceNumbers()
      var members: [String: JSONValue] = [
        "key": .string(variant.key), "device_count": .integer(Int64(own.count)),
      ]
      if let payload = variant.payload {
        let (composer, sample) = try payload.composed(at: now)
        members["payload"] =
          (try? JSONValue(parsing: String(decoding: sample, as: UTF8.self))) ?? .null
        members["bytes"] = .integer(Int64(sample.count))
        members["findings"] = try await api.actions.findings(
          in: payload, composed: (composer, sample), for: own, app: campaign.app)
      }
      if let content = variant.message?.content {
        members["message"] = .object(
          content.members.merging(["title": .string(content.title)]) { $1 })
      }
      variants.append(.object(members))
    }
    let estimate = try await api.actions.planner.estimate(
      of: plan, campaign, to: devices, limits: limits)
    let members: [String: JSONValue] = [
      "device_count": .integer(Int64(devices.count)),
      "control": .integer(Int64(arms[.control]?.count ?? 0)),
      "rest": .integer(Int64(arms[.rest]?.count ?? 0)),
      "held_out": .integer(Int64(heldOut.count)), "variants": .array(variants),
    ]
    return .json(.object(members.merging(estimate.members) { $1 }))
  }

  // MARK: Events

  private static func start(
    _ call: Call, _ api: API, version: Int?
  ) async throws -> HTTPResponse {
    let (campaign, now) = (try await campaign(call, api), api.clock.now())
    let plan =
      campaign.state == .draft
      ? try CampaignPlan(BodyValue(campaign.document, at: "$.campaign"), at: now)
      : try CampaignPlan(stored: campaign.document, at: now)
    var start = plan.start(of: campaign, at: now)
    start.seen = try await seen(plan, app: campaign.app, at: now, api)
    // The store refuses a run whose version is not the stored one.
    for place in start.runs.indices {
      start.runs[place].version = version ?? start.runs[place].version
    }
    let answer = try await apply(.start, as: "start", call: call, api: api, start: start)
    // A run that is due now begins at once. If this fails, the runner tries again and reports the failure.
    if plan.rule == nil, let run = start.runs.first, run.plannedAt <= now,
      let stored = try await api.store.run(run.id, app: run.app)
    {
      try? await api.actions.campaignRunner.advance(stored)
    }
    return answer
  }

  /// The devices that are in the trigger's audience at the start and do not enter by it; `nil` without an audience.
  private static func seen(
    _ plan: CampaignPlan, app: String, at now: Timestamp, _ api: API
  ) async throws -> DeviceNumbers? {
    guard let rule = plan.rule else { return nil }
    switch rule.entry {
    case .event, .call: return nil
    case .enters where rule.includesCurrent: return DeviceNumbers()
    case .enters(let id), .leaves(let id):
      guard let audience = try await api.store.audience(id, app: app) else {
        throw RequestError(.conflict, "the audience \(id) was deleted; name another one")
      }
      return try await api.audiences.members(of: audience, at: now)
    }
  }

  private static func apply(
    _ event: CampaignLifecycle.Event, as action: String, call: Call, api: API,
    start: CampaignStart? = nil
  ) async throws -> HTTPResponse {
    let known = try await campaign(call, api)
    let store = api.actions.store(for: call.actor, "campaign.\(action)", known.id)
    guard
      let campaign = try await store.apply(
        event, toCampaign: known.id, app: known.app, start: start, at: api.clock.now())
    else { throw RequestError.notFound("campaign with this id") }
    api.wakeDelivery()
    return .json(["campaign": campaign.answer])
  }
}

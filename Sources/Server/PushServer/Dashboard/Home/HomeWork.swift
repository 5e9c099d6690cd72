import Markup
import PushModel

/// What an app sends now and next, what a person has to decide, and what has failed.
struct HomeWork: Sendable {
  /// A send, a campaign or a run with the reason for which it is listed.
  struct Item: Sendable {
    var title: String
    var path: String
    var tag: HTML
    var detail: HTML
  }

  /// The most entries of each list.
  static let limit = 6
  /// The most campaigns or sends that are read for a list.
  private static let readLimit = 20
  /// The time for which a failure is listed.
  private static let memory = Duration.seconds(7 * 86_400)
  /// The time up to which the next entries are looked for.
  private static let outlook = Duration.seconds(62 * 86_400)

  var hasDevices = true
  var decisions: [Item] = []
  var running: [Item] = []
  var next: [CalendarEntry] = []
  var failures: [Item] = []

  init(_ request: PageRequest) async throws {
    let (store, app, now) = (request.router.store, request.app.id, request.now)
    hasDevices = try await !store.devices(app: app, above: nil, limit: 1).isEmpty
    let schedule = try await Schedule(
      of: request, in: now..<now + Self.outlook, limit: Self.readLimit)
    // A daily campaign stands once in the list, not once for each of its days.
    var paths: Set<String> = []
    next = Array(
      schedule.entries.filter { !$0.isOver && paths.insert($0.path).inserted }.prefix(Self.limit))
    try await addCampaigns(request)
    try await addSends(request)
  }

  private mutating func addCampaigns(_ request: PageRequest) async throws {
    let (store, app) = (request.router.store, request.app.id)
    func campaigns(_ state: CampaignLifecycle.State, isSubmitted: Bool = false) async throws
      -> [Campaign]
    {
      var query = CampaignQuery(state: state)
      query.isSubmitted = isSubmitted
      return try await store.campaigns(
        app: app, matching: query, after: nil, limit: Self.readLimit
      ).elements
    }
    for campaign in try await campaigns(.draft, isSubmitted: true) {
      guard let approval = campaign.approval, approval.version == campaign.version,
        approval.state == .submitted
      else { continue }
      decisions.append(
        Item(campaign, request, detail: "Submitted for approval at \(.time(approval.submittedAt))"))
    }
    for campaign in try await campaigns(.paused) {
      decisions.append(
        Item(campaign, request, detail: "Nothing of it goes out until somebody resumes or ends it"))
    }
    let runs =
      try await store.runs(app: app, in: [.deciding, .testing, .rolling], limit: Self.readLimit)
      + store.runs(app: app, in: [.skipped], limit: Self.limit)
    let named = try await store.campaigns(Array(Set(runs.map(\.campaign))), app: app)
    let byID = Dictionary(named.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let rolling = runs.filter { $0.state == .rolling }.map(\.id)
    let sends = Dictionary(
      grouping: try await store.sends(ofRuns: rolling, app: app), by: { $0.origin?.run ?? "" })
    for run in runs {
      guard let campaign = byID[run.campaign], campaign.kind != .triggered else { continue }
      // Of a run that has sent all, goals are still measured.
      if run.hasSentAll(sends[run.id] ?? []) { continue }
      add(run, of: campaign, request)
    }
  }

  private mutating func add(_ run: CampaignRun, of campaign: Campaign, _ request: PageRequest) {
    var item = Item(campaign, request, detail: "")
    item.tag = run.stateTag(of: campaign)
    switch (run.state, run.dueAt) {
    case (.deciding, _):
      item.detail = "The test has no winner: \(run.reason ?? "choose one")"
      decisions.append(item)
    case (.testing, nil):
      item.detail = "The test runs until somebody chooses the winner"
      decisions.append(item)
    case (.testing, let time?):
      item.detail = "The winner is chosen at \(.time(time))"
      running.append(item)
    case (.skipped, _):
      guard run.plannedAt + Self.memory > request.now else { return }
      item.detail = "\(.time(run.plannedAt)): \(run.reason ?? "nothing was sent")"
      failures.append(item)
    default:
      item.detail = "Since \(.time(run.startedAt ?? run.plannedAt))"
      running.append(item)
    }
  }

  private mutating func addSends(_ request: PageRequest) async throws {
    /// The first sends in a state, also those of campaigns.
    func sends(_ state: Send.State) async throws -> [Send] {
      var query = SendQuery(state: state)
      // There are so many of these that they would hide the others.
      query.leavesOutTriggered = true
      return try await request.router.store.uncountedSends(
        app: request.app.id, matching: query, after: nil, limit: Self.readLimit
      )
    }
    // A campaign that a person has paused is in the list itself.
    for send in try await sends(.paused) where send.origin == nil || send.failure != nil {
      decisions.append(
        Item(
          send, request, detail: send.failure.map { "\($0)" } ?? "Paused; resume it or cancel it"))
    }
    // Those of a campaign are in the list as its run.
    for send in try await sends(.sending) + sends(.pausing) where send.origin == nil {
      let done = send.counts.targeted - max(0, send.counts.left)
      running.append(
        Item(send, request, detail: "\(done) of \(AudienceReach.devices(send.counts.targeted))"))
    }
    let since = request.now + Self.memory * -1
    for send in try await sends(.failed) where send.createdAt > since {
      failures.append(Item(send, request, detail: "\(send.failure ?? "It could not be sent")"))
    }
    for send in try await sends(.complete) where send.createdAt > since {
      let counts = send.counts
      let failed = counts.rejected + counts.uninstalled - counts.quiet - counts.capped
      guard failed > 0, failed * 10 >= counts.targeted else { continue }
      failures.append(
        Item(send, request, detail: "\(failed) of \(AudienceReach.devices(counts.targeted)) failed")
      )
    }
  }
}

extension HomeWork.Item {
  init(_ campaign: Campaign, _ request: PageRequest, detail: HTML) {
    self.init(
      title: campaign.name, path: CampaignPages.path(of: campaign, request),
      tag: campaign.stateTag, detail: detail)
  }

  init(_ send: Send, _ request: PageRequest, detail: HTML) {
    self.init(
      title: send.name ?? send.summary, path: "\(request.path(.sends))/\(send.id)",
      tag: send.stateTag, detail: detail)
  }
}

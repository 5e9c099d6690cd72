import PushModel
import PushPayload

/// What goes out in a span of time, in order.
struct Schedule: Sendable {
  /// The most sends, and the most runs, of a span.
  static let limit = 200

  private(set) var entries: [CalendarEntry] = []
  /// Whether the span has more than ``limit`` of a kind, of which the first ones are here.
  private(set) var isCut = false

  init(of request: PageRequest, in span: Range<Timestamp>, limit: Int = Schedule.limit) async throws
  {
    let (store, app) = (request.router.store, request.app.id)
    let sends = try await store.sends(app: app, scheduledIn: span, limit: limit + 1)
    let runs = try await store.runs(app: app, plannedIn: span, limit: limit + 1)
    isCut = max(sends.count, runs.count) > limit
    entries += sends.prefix(limit).map { CalendarEntry($0, request) }
    let named = try await store.campaigns(Array(Set(runs.map(\.campaign))), app: app)
    // People enter a triggered campaign at any time.
    let timed = named.filter { $0.kind != .triggered }
    let campaigns = Dictionary(timed.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let plans = Self.localPlans(of: timed, request)
    entries += runs.prefix(limit).compactMap { run in
      campaigns[run.campaign].map {
        CalendarEntry(run, of: $0, plan: plans[run.campaign], request)
      }
    }
    entries += try await Self.planned(in: span, limit: limit, request)
    entries.sort { ($0.time, $0.title) < ($1.time, $1.title) }
  }

  /// The plans of the campaigns whose time may be on each device's clock.
  ///
  /// Reading a plan checks all of its messages, so the others are not read. One that a newer version wrote has no plan
  /// here, and its own page says why.
  private static func localPlans(
    of campaigns: [Campaign], _ request: PageRequest
  ) -> [String: CampaignPlan] {
    let local = campaigns.filter {
      $0.kind == .recurring || $0.document["when"]?["local_time"] == .bool(true)
    }
    return Dictionary(
      local.compactMap { campaign in
        (try? CampaignPlan(stored: campaign.document, at: request.now)).map { (campaign.id, $0) }
      }, uniquingKeysWith: { $1 })
  }

  /// The days of live recurring campaigns after their last run, which have no runs yet.
  private static func planned(
    in span: Range<Timestamp>, limit: Int, _ request: PageRequest
  ) async throws -> [CalendarEntry] {
    var query = CampaignQuery(state: .live)
    query.kind = .recurring
    let campaigns = try await request.router.store.campaigns(
      app: request.app.id, matching: query, after: nil, limit: limit
    ).elements
    let runs = try await request.router.store.lastRuns(
      ofCampaigns: campaigns.map(\.id), app: request.app.id)
    return campaigns.flatMap { campaign -> [CalendarEntry] in
      let last = runs.filter { $0.campaign == campaign.id }
        .compactMap { RunReport($0.report).day }.max()
      // A document that a newer version wrote has no days here, and its own page says why.
      guard let plan = try? CampaignPlan(stored: campaign.document, at: request.now),
        let schedule = plan.schedule, let last
      else { return [] }
      // A device's clock may be a day from that of UTC.
      let days = CalendarDay(at: span.lowerBound) + -1..<CalendarDay(at: span.upperBound) + 2
      return (days.lowerBound.number..<days.upperBound.number).map(CalendarDay.init(number:))
        .filter { $0 > last && schedule.has($0) }
        .map { CalendarEntry($0, of: schedule, in: campaign, request) }
        .filter { span.contains($0.time) }
    }
  }
}

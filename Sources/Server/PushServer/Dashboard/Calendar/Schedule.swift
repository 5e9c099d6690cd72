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
    entries += runs.prefix(limit).compactMap { run in
      campaigns[run.campaign].map { CalendarEntry(run, of: $0, request) }
    }
    entries += try await Self.planned(in: span, limit: limit, request)
    entries.sort { ($0.time, $0.title) < ($1.time, $1.title) }
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
    let reported = Dictionary(grouping: runs, by: \.campaign).mapValues { runs in
      runs.compactMap { RunReport($0.report).day }.max()
    }
    // A device's clock may be a day from that of UTC.
    let days = CalendarDay(at: span.lowerBound) + -1..<CalendarDay(at: span.upperBound) + 2
    return campaigns.flatMap { campaign -> [CalendarEntry] in
      // A document that a newer version wrote has no days here, and its own page says why.
      guard let schedule = campaign.schedule, let last = reported[campaign.id] ?? nil else {
        return []
      }
      return (days.lowerBound.number..<days.upperBound.number).map(CalendarDay.init(number:))
        .filter { $0 > last && schedule.has($0) }
        .map { CalendarEntry($0, of: schedule, in: campaign, request) }
        .filter { span.contains($0.time) }
    }
  }
}

import Markup
import PushModel

/// When the campaigns of a page go out, and the counts of what their last runs sent.
struct CampaignNumbers: Sendable {
  private var runs: [String: [CampaignRun]] = [:]
  private var sends: [String: [Send]] = [:]
  private let request: PageRequest

  init(of campaigns: [Campaign], _ request: PageRequest) async throws {
    self.request = request
    let (store, app) = (request.router.store, request.app.id)
    // The steps of a triggered campaign may have thousands of sends.
    let ids = campaigns.filter { $0.kind != .triggered }.map(\.id)
    runs = Dictionary(
      grouping: try await store.lastRuns(ofCampaigns: ids, app: app), by: \.campaign)
    let last = runs.values.compactMap { Self.last($0)?.id }
    sends = Dictionary(
      grouping: try await store.sends(ofRuns: last, app: app), by: { $0.origin?.campaign ?? "" })
  }

  /// The run that began last.
  private static func last(_ runs: [CampaignRun]) -> CampaignRun? {
    runs.filter { $0.startedAt != nil }.max { $0.number < $1.number }
  }

  /// The sums over the sends of the last run; `nil` if it sent no push.
  func counts(of campaign: Campaign) -> Send.Counts? {
    sends[campaign.id].map { SendRow(lead: $0[0], sends: $0).counts }
  }

  /// The state of a campaign; one that has sent all is not live, although its goals may still be measured.
  func stateTag(of campaign: Campaign) -> HTML {
    let run = Self.last(runs[campaign.id] ?? [])
    let hasSentAll =
      campaign.state == .live && campaign.kind == .once
      && run?.hasSentAll(sends[campaign.id] ?? []) ?? false
    return hasSentAll ? Campaign.sentTag : campaign.stateTag
  }

  /// The next time of a campaign, or the time of its last run.
  func goesOut(_ campaign: Campaign) -> HTML {
    guard campaign.kind != .triggered else { return "for each person" }
    guard campaign.state != .draft else { return "not started" }
    let runs = runs[campaign.id] ?? []
    let next = runs.filter { $0.state == .planned }.min { $0.plannedAt < $1.plannedAt }
    if next != nil, campaign.state == .paused { return "once it is resumed" }
    guard let run = next ?? Self.last(runs) else { return "–" }
    return CalendarEntry(run, of: campaign, request).dateText
  }
}

import Markup
import PushModel

/// The latest planned days of a recurring campaign, each with its result.
struct CampaignDays {
  var request: PageRequest
  var runs: [CampaignRun]

  /// The largest number of days that are shown.
  static let limit = 30

  /// The run whose report is shown: the oldest that waits for a decision, or else the one that began last.
  static func shown(of runs: [CampaignRun]) -> CampaignRun? {
    runs.last { $0.state == .testing || $0.state == .deciding }
      ?? runs.first { $0.startedAt != nil } ?? runs.first
  }

  var html: HTML? {
    let rows = runs.compactMap { run -> HTML? in
      guard let day = RunReport(run.report).day else { return nil }
      return """
        <tr><th scope="row">\(day.text)</th><td>\(Self.words(for: run))</td>\
        <td>\(RunReport(run.report).selected)</td>\
        <td><a href="\(WhyPages.path(of: .run(run.id), request))">Why not?<span class="hidden"> Somebody who did \
        not get it on \(day.text)</span></a></td></tr>
        """
    }
    guard !rows.isEmpty else { return nil }
    let table: HTML = """
      <table class="list"><caption>The last \(Self.limit) days at most</caption>
      <thead><tr><th scope="col">Day</th><th scope="col">State</th><th scope="col">Devices</th>\
      <th scope="col">Not got it</th></tr></thead>
      <tbody>\(rows)</tbody></table>
      """
    return "<h2>Days</h2>\(HTML.table("Days", table))"
  }

  private static func words(for run: CampaignRun) -> HTML {
    let reason = run.reason.map { ": \($0)" } ?? ""
    switch run.state {
    case .planned: return "planned for \(.time(run.plannedAt))"
    case .testing: return "testing"
    case .deciding: return "waits for your decision\(reason)"
    case .rolling: return "being sent"
    case .settled: return "sent"
    case .skipped: return "not sent\(reason)"
    case .canceled: return "canceled"
    }
  }
}

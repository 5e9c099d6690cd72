import Markup
import PushModel

/// The page with the report of a campaign, which analytics keys may open too.
struct CampaignReportView {
  var request: PageRequest
  var campaign: Campaign
  var plan: CampaignPlan
  var report: CampaignReport?
  /// The report of a triggered campaign; `nil` for any other.
  var people: HTML?

  var html: HTML {
    """
    <p><a href="\(request.path(.reports))">Reports</a></p>
    <div class="head"><h1>\(campaign.name)</h1><div class="row">\(link)</div></div>
    <p>\(report.map { campaign.stateTag(after: $0.results.totals) } ?? campaign.stateTag) \(times)</p>
    \(test)
    \(people ?? report?.html ?? nothing)
    """
  }

  /// The rule by which the test decides; `nil` if the campaign is triggered, because it has no test.
  private var test: HTML? {
    guard people == nil else { return nil }
    return "<p>\(plan.testInWords)</p>"
  }

  private var nothing: HTML {
    """
    <p class="note">There is nothing to report yet: the campaign has not started.</p>
    """
  }

  private var times: HTML {
    guard let run = report?.results.run else { return "Created \(.time(campaign.createdAt))." }
    let end = run.settledAt.map { ", ended \(.time($0))" as HTML }
    return run.startedAt.map { "Started \(.time($0))\(end)." }
      ?? "Planned for \(.time(run.plannedAt))\(end)."
  }

  private var link: HTML? {
    guard request.mayOpen(.sends) else { return nil }
    return
      "<a class=\"button\" href=\"\(CampaignPages.path(of: campaign, request))\">View campaign</a>"
  }
}

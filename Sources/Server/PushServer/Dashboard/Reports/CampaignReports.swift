import Markup
import PushModel

/// A table of the newest campaigns of an app with their numbers.
struct CampaignReports {
  var request: PageRequest
  var campaigns: [Campaign]
  /// The sums over the notifications and messages of each campaign.
  var totals: [String: SendTotals]

  var html: HTML? {
    guard !campaigns.isEmpty else { return nil }
    let rows = campaigns.map { campaign -> HTML in
      let sum = totals[campaign.id] ?? SendTotals()
      let opened = Proportion(successes: min(sum.opened, sum.accepted), trials: sum.accepted)
      return """
        <tr><th scope="row"><a href="\(CampaignReport.path(of: campaign, request))">\(campaign.name)</a>\
        <div class="phone">\(campaign.stateTag(after: sum)) \(.time(campaign.createdAt))<br>\(.count(sum.accepted)) accepted · \
        \(.count(sum.displayed)) displayed · \(.count(sum.opened)) opened</div></th>\
        <td class="wide">\(campaign.stateTag(after: sum))</td><td class="wide">\(.time(campaign.createdAt))</td>\
        <td class="number wide">\(.count(sum.targeted))</td><td class="number wide">\(.count(sum.accepted))</td>\
        <td class="number wide">\(.count(sum.displayed))</td><td class="number wide">\(.count(sum.opened))</td>\
        <td class="number wide">\(opened.trials > 0 ? opened.rateText : "–")</td></tr>

        """
    }
    let table: HTML = """
      <table class="list one-line"><caption class="hidden">The newest campaigns</caption><thead><tr><th scope="col">Campaign</th>\
      <th scope="col" class="wide">Status</th><th scope="col" class="wide">Created</th>\
      <th scope="col" class="number wide">Targeted</th><th scope="col" class="number wide">Accepted</th>\
      <th scope="col" class="number wide">Displayed</th><th scope="col" class="number wide">Opened</th>\
      <th scope="col" class="number wide">Open rate</th></tr></thead><tbody>\(rows)</tbody></table>
      """
    return """
      <div class="head"><h2>Campaigns</h2><a class="button" \
      href="\(request.path(.reports))/campaigns.csv">Export campaigns as CSV</a></div>\
      \(HTML.table("Campaigns", table))
      """
  }

  /// The names of the columns in CSV.
  static let header = [
    "id", "campaign", "kind", "state", "created", "notifications", "targeted", "accepted",
    "displayed", "opened",
  ]

  /// A campaign in the columns of ``header``.
  static func row(_ campaign: Campaign, _ totals: SendTotals) -> [String] {
    [
      campaign.id, campaign.name, campaign.kind.rawValue, campaign.stateText(after: totals),
      campaign.createdAt.iso8601, String(totals.sends + totals.messages), String(totals.targeted),
      String(totals.accepted), String(totals.displayed), String(totals.opened),
    ]
  }
}

extension Campaign {
  /// Whether nothing is left to send, although goals may still be measured.
  func hasSentAll(_ totals: SendTotals) -> Bool {
    // An in-app message is live while inboxes show it.
    state == .live && kind == .once && totals.sends > 0 && totals.messages == 0
      && totals.unfinished == 0 && totals.waitingRuns == 0
  }

  /// The campaign's state in a word: one that has sent all is not live.
  func stateText(after totals: SendTotals) -> String {
    hasSentAll(totals) ? "sent" : state.rawValue
  }

  /// The mark of a campaign that has sent all.
  static let sentTag: HTML = "<span class=\"tag good\">sent</span>"

  func stateTag(after totals: SendTotals) -> HTML {
    hasSentAll(totals) ? Self.sentTag : stateTag
  }
}

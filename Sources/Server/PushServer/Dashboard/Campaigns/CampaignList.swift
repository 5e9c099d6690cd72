import Markup
import PushModel

/// The list of an app's campaigns.
struct CampaignList {
  var request: PageRequest
  var page: Page<Campaign>
  var search: ListSearch
  var isFirst: Bool
  var numbers: CampaignNumbers

  private var path: String { request.path(.sends) + CampaignPages.path }

  var html: HTML {
    """
    \(MessageTab.campaigns.bar(request))
    <div class="head"><h1>Campaigns</h1><div class="row">\(request.may(.write) ? new : nil)</div></div>
    \(page.total > 0 || !search.isEmpty ? search.form : nil)
    \(page.elements.isEmpty ? (search.isEmpty ? empty : search.nothing("campaign")) : table)
    """
  }

  /// Links to the forms of the three kinds of campaigns.
  private var new: HTML {
    """
    <a class="button primary" href="\(path)/new">New campaign</a>\
    <a class="button" href="\(path)/new?sent=\(Campaign.Kind.recurring.rawValue)">New recurring campaign</a>\
    <a class="button" href="\(path)/new?sent=\(Campaign.Kind.triggered.rawValue)">New triggered campaign</a>
    """
  }

  private var empty: HTML {
    """
    <div class="card empty"><h2>No campaigns yet</h2>
    <p>A campaign sends a message once, on certain days, or when people do something, and says which variant did \
    better.</p>
    \("<p>Begin with one of the buttons above.</p>", if: request.may(.write))</div>
    """
  }

  private var table: HTML {
    let table: HTML = """
      <table class="list"><caption>\(page.elements.count) of \(page.total) \
      \(page.total == 1 ? "campaign" : "campaigns")</caption>
      <thead><tr><th scope="col">Campaign</th><th scope="col" class="wide">Type</th>\
      <th scope="col" class="wide">Status</th><th scope="col" class="wide">Goes out</th>\
      <th scope="col" class="number wide">Sent</th><th scope="col" class="number wide">Open rate</th></tr></thead>
      <tbody>\(page.elements.map(row))</tbody></table>
      """
    return """
      \(HTML.table("Campaigns", table))
      <p class="help">Sent and open rate are those of the last run.</p>
      \(search.pages(after: page.cursor, isFirst: isFirst))
      """
  }

  private func row(_ campaign: Campaign) -> HTML {
    let counts = numbers.counts(of: campaign)
    let sent: HTML = counts.map { HTML.count($0.sent) } ?? "–"
    let rate: HTML = counts?.openRate ?? "–"
    let (goesOut, state) = (numbers.goesOut(campaign), numbers.stateTag(of: campaign))
    let labels = campaign.labels.map { label -> HTML in
      let query = Form([(name: "label", value: label)]).urlEncoded
      return " <a class=\"tag\" href=\"\(path)?\(query)\">\(label)</a>"
    }
    return """
      <tr><th scope="row"><a href="\(path)/\(campaign.id)">\(campaign.name)</a>\(labels)\
      <div class="phone">\(state) \(campaign.kind.rawValue), \(goesOut)<br>\(sent) sent · \(rate) opened</div></th>\
      <td class="wide">\(campaign.kind.rawValue)</td><td class="wide">\(state)</td>\
      <td class="wide">\(goesOut)</td><td class="number wide">\(sent)</td>\
      <td class="number wide">\(rate)</td></tr>

      """
  }
}

extension ListSearch {
  /// The search of the list of campaigns.
  static func campaigns(_ request: PageRequest) -> ListSearch {
    ListSearch(
      request, at: request.path(.sends) + CampaignPages.path, label: "Name or label",
      choices: [
        Choice(
          name: "state", title: "Status", any: "Any status", of: CampaignLifecycle.State.self),
        Choice(name: "kind", title: "Type", any: "Any type", of: Campaign.Kind.self),
        .order(("", "Newest first"), ("oldest", "Oldest first"), ("name", "By name")), .label,
      ])
  }
}

extension CampaignQuery {
  /// The query of a search of the list of campaigns.
  init(_ search: ListSearch) {
    self.init(
      search.text, label: search["label"].isEmpty ? nil : search["label"],
      state: CampaignLifecycle.State(rawValue: search["state"]))
    kind = Campaign.Kind(rawValue: search["kind"])
    order = Order(rawValue: search["sort"]) ?? .newest
  }
}

extension Campaign {
  var stateTag: HTML {
    let kind: HTML =
      switch state {
      case .ended: " good"
      case .discarded: " bad"
      case .draft, .paused: " wait"
      case .live: ""
      }
    return "<span class=\"tag\(kind)\">\(state.rawValue)</span>\(approvalTag)"
  }

  /// The state of a draft's approval; `nil` if the version that was submitted is not the current one.
  private var approvalTag: HTML? {
    guard state == .draft, let approval, approval.version == version else { return nil }
    switch approval.state {
    case .submitted: return " <span class=\"tag wait\">waits for approval</span>"
    case .approved: return " <span class=\"tag good\">approved</span>"
    case .rejected: return " <span class=\"tag bad\">rejected</span>"
    }
  }
}

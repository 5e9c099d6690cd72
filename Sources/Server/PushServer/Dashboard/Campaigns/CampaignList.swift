import Markup
import PushModel

/// The list of an app's campaigns, the newest first.
struct CampaignList {
  var request: PageRequest
  var page: Page<Campaign>
  var search: String
  var isFirst: Bool

  private var path: String { request.path(.sends) + CampaignPages.path }

  var html: HTML {
    """
    <p><a href="\(request.path(.sends))">Sends</a></p>
    <div class="head"><h1>Campaigns</h1><div class="row">\(request.may(.write) ? new : nil)</div></div>
    \(page.total > 0 || !search.isEmpty ? form : nil)
    \(page.elements.isEmpty ? empty : table)
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

  private var form: HTML {
    """
    <form method="get" action="\(path)" class="row" role="search">
    <label for="q" class="hidden">Name or label</label>
    <input id="q" name="q" placeholder="Name or label" value="\(search)" autocomplete="off">
    <button>Search</button></form>
    """
  }

  private var empty: HTML {
    guard search.isEmpty else {
      return """
        <p class="note" role="status">No campaign matches. <a href="\(path)">Show all campaigns</a></p>
        """
    }
    return """
      <div class="card empty"><h2>No campaigns yet</h2>
      <p>A campaign sends a message once, on certain days, or when people do something, and says which variant did \
      better.</p></div>
      """
  }

  private var table: HTML {
    let rows = page.elements.map { campaign -> HTML in
      """
      <tr><th scope="row"><a href="\(path)/\(campaign.id)">\(campaign.name)</a>\
      \(campaign.labels.map { " <span class=\"tag\">\($0)</span>" as HTML })</th>\
      <td>\(campaign.kind.rawValue)</td><td>\(campaign.stateTag)</td><td>\(.time(campaign.createdAt))</td></tr>

      """
    }
    let table: HTML = """
      <table class="list"><caption>\(page.elements.count) of \(page.total) \
      \(page.total == 1 ? "campaign" : "campaigns")</caption>
      <thead><tr><th scope="col">Campaign</th><th scope="col">Sent</th><th scope="col">Status</th><th scope="col">Created</th></tr></thead>
      <tbody>\(rows)</tbody></table>
      """
    let fields = [("q", search), ("after", page.cursor ?? "")].filter { !$0.1.isEmpty }
    let older: HTML? = page.cursor.map { _ in
      let query = Form(fields.map { (name: $0.0, value: $0.1) }).urlEncoded
      return "<a class=\"button\" href=\"\(path)?\(query)\">Older</a>"
    }
    return "\(HTML.table("Campaigns", table))<div class=\"row\">\(older)</div>"
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

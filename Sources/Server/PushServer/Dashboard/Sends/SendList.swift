import Markup
import PushModel
import PushPayload

/// The list of an app's sends, the newest first.
struct SendList {
  var request: PageRequest
  var sends: [Send]
  var total: Int
  var isFirst: Bool
  var hasMore: Bool
  var audiences: SendAudiences
  var search = SendSearch()
  /// The live triggered campaigns, whose sends are not in the list.
  var triggered: [Campaign] = []

  var html: HTML {
    """
    <div class="head"><h1>Sends</h1>\
    <a class="button primary" href="\(request.path(.compose))">Compose</a></div>
    \(total > 0 || !search.isEmpty || !triggered.isEmpty ? search.form(at: request.path(.sends)) : nil)
    \(triggeredNote)
    \(sends.isEmpty ? (search.isEmpty ? empty : nothing) : table)
    <p><a href="\(request.path(.sends) + CampaignPages.path)">Campaigns</a> · \
    <a href="\(request.path(.sends) + MessagesPages.path)">In-app messages</a> · \
    <a href="\(request.path(.sends) + ActivityList.path)">Live Activities</a></p>
    """
  }

  /// The note on the campaigns whose sends the list leaves out.
  private var triggeredNote: HTML? {
    guard !triggered.isEmpty, !search.hasTriggered else { return nil }
    let path = request.path(.sends) + CampaignPages.path
    let links = triggered.map { campaign -> HTML in
      "<li><a href=\"\(path)/\(campaign.id)\">\(campaign.name)</a></li>"
    }
    return """
      <div class="note"><p>Live triggered campaigns, whose sends are not in this list:</p><ul>\(links)</ul></div>
      """
  }

  private var empty: HTML {
    """
    <div class="card empty"><h2>No sends yet</h2>
    <p>Compose a notification, preview it and send a test.</p>
    <p><a class="button primary" href="\(request.path(.compose))">Compose</a></p></div>
    """
  }

  private var nothing: HTML {
    """
    <p class="note" role="status">No send matches. <a href="\(request.path(.sends))">Show all sends</a></p>
    """
  }

  private var table: HTML {
    let rows: HTML = """
      <table class="list">
      <caption>\(sends.count) of \(total) \(total == 1 ? "send" : "sends")</caption>
      <thead><tr><th scope="col" class="thumbs">Preview</th>\
      <th scope="col">Notification</th><th scope="col" class="wide">Status</th>\
      <th scope="col" class="wide">Audience</th><th scope="col" class="wide">Created</th>\
      \(Self.columns.map { "<th scope=\"col\" class=\"number wide\">\($0.title)</th>" as HTML })</tr></thead>
      <tbody>\(sends.map(row))</tbody>
      </table>
      """
    return "\(HTML.table("Sends", rows))<div class=\"row\">\(newest)\(older)</div>"
  }

  private var newest: HTML? {
    isFirst
      ? nil : "<a class=\"button\" href=\"\(request.path(.sends))\(search.query())\">Newest</a>"
  }

  private var older: HTML? {
    guard hasMore, let last = sends.last else { return nil }
    return """
      <a class="button" href="\(request.path(.sends))\(search.query(after: last.id))">Older</a>
      """
  }

  private func row(_ send: Send) -> HTML {
    let state: HTML = "\(send.stateTag)\(audiences.testTag(of: send))"
    let counts = Self.columns.map { ($0.title, $0.count(send.counts)) }
    let line = counts.map { "\($0.1) \($0.0.lowercased())" }.joined(separator: " · ")
    return """
      <tr><td class="thumbs">\(send.thumbnail(at: request.path(.sends)))</td>\
      <th scope="row"><a href="\(request.path(.sends))/\(send.id)">\(send.name ?? send.summary)</a>\
      \(send.labels.map { " <span class=\"tag\">\($0)</span>" as HTML })\
      <div class="phone">\(state) \(audiences.name(of: send)), \(.time(send.createdAt))<br>\(line)</div></th>\
      <td class="wide">\(state)</td><td class="wide">\(audiences.name(of: send))</td>\
      <td class="wide">\(.time(send.createdAt))</td>\
      \(counts.map { "<td class=\"number wide\">\($0.1)</td>" as HTML })</tr>

      """
  }

  private static let columns: [(title: String, count: @Sendable (Send.Counts) -> Int)] = [
    ("Targeted", { $0.targeted }), ("Sent", { $0.sent }),
    ("Failed", { $0.rejected + $0.uninstalled }), ("Displayed", { $0.displayed }),
    ("Opened", { $0.opened }),
  ]
}

/// The audiences of a page of sends.
struct SendAudiences {
  private var known: [String: Audience] = [:]

  init(of sends: [Send], _ request: PageRequest) async throws {
    for id in Set(sends.map(\.audience)) {
      known[id] = try await request.router.store.audience(id, app: request.app.id)
    }
  }

  func name(of send: Send) -> String {
    if send.audience == Identifiers.everyone(in: send.app) { return "All devices" }
    return known[send.audience]?.name ?? "Filters"
  }

  func isTest(_ send: Send) -> Bool { known[send.audience]?.isTest == true }

  func testTag(of send: Send) -> HTML? { known[send.audience]?.testTag }
}

extension Audience {
  /// The mark of a send to a test audience.
  var testTag: HTML? { isTest ? " <span class=\"tag\">test</span>" : nil }
}

extension Send {
  /// The notification as the lock screen shows it, loaded when the row becomes visible.
  fileprivate func thumbnail(at path: String) -> HTML {
    """
    <picture><source media="(prefers-color-scheme: dark)" srcset="\(path)/\(id)/card.png?small=1&amp;dark=1">\
    <img class="thumb" src="\(path)/\(id)/card.png?small=1" width="393" height="120" loading="lazy" alt="">\
    </picture>
    """
  }

  var stateTag: HTML {
    let kind: HTML =
      switch state {
      case .complete: " good"
      case .failed, .canceled: " bad"
      case .pausing, .paused, .scheduled: " wait"
      case .sending: ""
      }
    return "<span class=\"tag\(kind)\">\(state.rawValue)</span>"
  }
}

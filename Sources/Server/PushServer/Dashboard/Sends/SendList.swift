import Markup
import PushModel
import PushPayload

/// The list of an app's sends, in which the variants of a campaign's run are one row.
struct SendList {
  var request: PageRequest
  var rows: [SendRow]
  var total: Int
  var isFirst: Bool
  /// The id of the last send, if the list has more; `nil` on the last page.
  var cursor: String?
  var audiences: SendAudiences
  var search: ListSearch
  /// The live triggered campaigns, whose sends are not in the list.
  var triggered: [Campaign] = []

  private var path: String { request.path(.sends) }

  var html: HTML {
    """
    \(MessageTab.sends.bar(request))
    <div class="head"><h1>Sends</h1></div>
    \(total > 0 || !search.isEmpty || !triggered.isEmpty ? search.form : nil)
    \(triggeredNote)
    \(rows.isEmpty ? (search.isEmpty ? empty : search.nothing("send")) : table)
    """
  }

  /// The note on the campaigns whose sends the list leaves out.
  private var triggeredNote: HTML? {
    guard !triggered.isEmpty, !search.hasTriggered else { return nil }
    let path = path + CampaignPages.path
    let links = triggered.enumerated().map { place, campaign -> HTML in
      "\(", ", if: place > 0)<a href=\"\(path)/\(campaign.id)\">\(campaign.name)</a>"
    }
    return """
      <p class="note">Live triggered campaigns, whose sends are not in this list: \(links)</p>
      """
  }

  private var empty: HTML {
    guard search["sort"] != SendQuery.Order.next.rawValue else {
      return """
        <p class="note" role="status">No send waits for its time. <a href="\(path)">Show all sends</a></p>
        """
    }
    let compose: HTML = """
      <p><a class="button primary" href="\(request.path(.compose))">Compose</a></p>
      """
    return """
      <div class="card empty"><h2>No sends yet</h2>
      <p>Compose a notification, preview it and send a test.</p>
      \(compose, if: request.mayOpen(.compose))</div>
      """
  }

  private var table: HTML {
    let table: HTML = """
      <table class="list">
      <caption>\(rows.count) of \(total) \(total == 1 ? "send" : "sends")</caption>
      <thead><tr><th scope="col" class="thumbs">Preview</th>\
      <th scope="col">Notification</th><th scope="col" class="wide">Status</th>\
      <th scope="col" class="wide">Audience</th><th scope="col" class="wide">Goes out</th>\
      \(Self.columns.map { "<th scope=\"col\" class=\"number wide\">\($0.title)</th>" as HTML })</tr></thead>
      <tbody>\(rows.map(row))</tbody>
      </table>
      """
    return "\(HTML.table("Sends", table))\(search.pages(after: cursor, isFirst: isFirst))"
  }

  private func row(_ row: SendRow) -> HTML {
    let send = row.lead
    let state: HTML = "\(row.current.stateTag)\(audiences.testTag(of: send))"
    let values = Self.columns.map { ($0.title, $0.value(row.counts)) }
    let line = values.enumerated().map { place, value -> HTML in
      "\(" · ", if: place > 0)\(value.1) \(value.0.lowercased())"
    }
    let labels = (row.campaign?.labels ?? send.labels).map { label -> HTML in
      let query = Form([(name: "label", value: label)]).urlEncoded
      return " <a class=\"tag\" href=\"\(path)?\(query)\">\(label)</a>"
    }
    return """
      <tr><td class="thumbs">\(send.thumbnail(at: path))</td>\
      <th scope="row">\(title(of: row))\(labels)\
      <div class="phone">\(state) \(audiences.name(of: send)), \(send.goesOut)<br>\(line)</div>\(parts(of: row))</th>\
      <td class="wide">\(state)</td><td class="wide">\(audiences.name(of: send))</td>\
      <td class="wide">\(send.goesOut)</td>\
      \(values.map { "<td class=\"number wide\">\($0.1)</td>" as HTML })</tr>

      """
  }

  private func title(of row: SendRow) -> HTML {
    guard let campaign = row.campaign else {
      return "<a href=\"\(path)/\(row.lead.id)\">\(row.lead.name ?? row.lead.summary)</a>"
    }
    return """
      <a href="\(CampaignPages.path(of: campaign, request))">\(campaign.name)</a> <span class="tag">campaign</span>
      """
  }

  /// The sends of a campaign's run, which the row unfolds.
  private func parts(of row: SendRow) -> HTML? {
    guard row.campaign != nil else { return nil }
    let parts = row.sends.map { send -> HTML in
      let phase = send.origin?.phase == .test ? ", test" : ""
      return """
        <li><a href="\(path)/\(send.id)">\(send.origin?.variant ?? "")\(phase): \(send.summary)</a> \(send.stateTag) \
        \(HTML.count(send.counts.sent)) sent, \(send.counts.openRate) opened</li>
        """
    }
    return """
      <details class="parts"><summary>\(parts.count) \(parts.count == 1 ? "send" : "sends")</summary>\
      <ul>\(parts)</ul></details>
      """
  }

  private static let columns: [(title: String, value: @Sendable (Send.Counts) -> HTML)] = [
    ("Targeted", { .count($0.targeted) }), ("Sent", { .count($0.sent) }),
    ("Failed", { .count($0.rejected + $0.uninstalled) }), ("Opened", { .count($0.opened) }),
    ("Open rate", { $0.openRate }),
  ]
}

extension Send.Counts {
  /// The share of the accepted pushes that were opened: “12.3 %”, or “–” if none was accepted.
  var openRate: HTML { sent == 0 ? "–" : Proportion(opened: self).rateText }
}

/// The audiences of a page of sends.
struct SendAudiences {
  private let known: [String: AudienceName]

  init(of sends: [Send], _ request: PageRequest) async throws {
    let names = try await request.router.store.audienceNames(
      Array(Set(sends.map(\.audience))), app: request.app.id)
    known = Dictionary(names.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
  }

  func name(of send: Send) -> String {
    if send.audience == Identifiers.everyone(in: send.app) { return "All devices" }
    guard let audience = known[send.audience] else { return Audience.deletedName }
    return audience.name ?? "Filters"
  }

  func isTest(_ send: Send) -> Bool { known[send.audience]?.isTest == true }

  func testTag(of send: Send) -> HTML? { isTest(send) ? Audience.testTag : nil }
}

extension Audience {
  /// The mark of a send to a test audience.
  static let testTag: HTML = " <span class=\"tag\">test</span>"
  /// The name of an audience that is no longer stored.
  static let deletedName = "An audience that was deleted"
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

  /// The time at which the send goes out, or has begun to.
  var goesOut: HTML {
    guard let time = scheduledAt else { return .time(startedAt ?? createdAt) }
    return isLocalTime ? "\(.wallTime(time)) in local time" : .time(time)
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

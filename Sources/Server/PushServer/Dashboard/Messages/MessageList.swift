import Markup
import PushModel

/// The list of an app's in-app messages.
struct MessageList {
  var request: PageRequest
  var rows: [MessageRow]
  var total: Int
  /// The cursor of the next page; `nil` on the last page.
  var cursor: String?
  var search: ListSearch
  var isFirst: Bool
  /// The number of messages of triggered campaigns that the list leaves out.
  var leftOut = 0

  private var path: String { request.path(.sends) + MessagesPages.path }

  var html: HTML {
    """
    \(MessageTab.inApp.bar(request))
    <div class="head"><h1>In-app messages</h1></div>
    \(total > 0 || !search.isEmpty ? search.form : nil)
    \(rows.isEmpty ? (search.isEmpty ? empty : search.nothing("message")) : table)
    \(triggeredNote)
    """
  }

  private var triggeredNote: HTML? {
    guard leftOut > 0 else { return nil }
    return """
      <p class="muted">Not in this list: \(leftOut) of triggered campaigns, which have one for all people who are due at \
      the same time. <a href="\(path)?triggered=1">List them, too</a></p>
      """
  }

  private var empty: HTML {
    let compose: HTML = """
      <p><a class="button primary" href="\(request.path(.compose))">Compose</a></p>
      """
    return """
      <div class="card empty"><h2>No in-app messages yet</h2>
      <p>An in-app message is in the inbox that the app shows, with or without a push. Choose its type in the composer.</p>
      \(compose, if: request.mayOpen(.compose))</div>
      """
  }

  private var table: HTML {
    let table: HTML = """
      <table class="list"><caption>\(rows.count) of \(total) \
      \(total == 1 ? "message" : "messages")</caption>
      <thead><tr><th scope="col">Message</th><th scope="col" class="wide">Status</th>\
      <th scope="col" class="wide">Published</th><th scope="col" class="number wide">Listed</th>\
      <th scope="col" class="number wide">Opened</th><th scope="col" class="number wide">Open rate</th></tr></thead>
      <tbody>\(rows.map(row))</tbody></table>
      """
    return """
      \(HTML.table("In-app messages", table))\(search.pages(after: cursor, isFirst: isFirst))
      """
  }

  private func row(_ row: MessageRow) -> HTML {
    let message = row.lead
    let (listed, opened) = (row.seen(.stream), row.seen(.detail))
    let rate = PublishedMessage.openRate(opened: opened, listed: listed)
    let state = message.stateTag(at: request.now)
    return """
      <tr><th scope="row">\(title(of: row))\
      <div class="phone">\(state) \(.time(message.publishAt))<br>\(HTML.count(listed)) listed · \(HTML.count(opened)) opened · \(rate) open rate</div>\(parts(of: row))</th>\
      <td class="wide">\(state)</td><td class="wide">\(.time(message.publishAt))</td>\
      <td class="number wide">\(HTML.count(listed))</td><td class="number wide">\(HTML.count(opened))</td>\
      <td class="number wide">\(rate)</td></tr>

      """
  }

  private func title(of row: MessageRow) -> HTML {
    guard let campaign = row.campaign else {
      return "<a href=\"\(path)/\(row.lead.id)\">\(row.lead.title)</a>"
    }
    return """
      <a href="\(CampaignPages.path(of: campaign, request))">\(campaign.name)</a> <span class="tag">campaign</span>
      """
  }

  /// The messages of a campaign's run, which the row unfolds.
  private func parts(of row: MessageRow) -> HTML? {
    guard row.campaign != nil else { return nil }
    let parts = row.messages.map { part -> HTML in
      let (message, origin) = (part.message, part.message.origin)
      let phase = origin?.phase == .test ? ", test" : ""
      return """
        <li><a href="\(path)/\(message.id)">\(origin?.variant ?? "")\(phase): \(message.title)</a> \
        \(message.stateTag(at: request.now)) \(HTML.count(part.seen[.stream] ?? 0)) listed, \(part.openRate) opened</li>
        """
    }
    return """
      <details class="parts"><summary>\(parts.count) \(parts.count == 1 ? "message" : "messages")</summary>\
      <ul>\(parts)</ul></details>
      """
  }
}

extension ListSearch {
  /// The search of the list of in-app messages.
  static func messages(_ request: PageRequest) -> ListSearch {
    ListSearch(
      request, at: request.path(.sends) + MessagesPages.path, label: "Title",
      choices: [
        Choice(name: "state", title: "Status", any: "Any status", of: Message.State.self),
        .triggered, .order(("", "Newest first"), ("oldest", "Oldest first")),
      ])
  }
}

extension MessageQuery {
  /// The query of a search of the list of in-app messages.
  init(_ search: ListSearch, at now: Timestamp) {
    self.init(search.text)
    state = Message.State(rawValue: search["state"]).map { ($0, now) }
    // Triggered campaigns may make thousands of messages a day.
    leavesOutTriggered = !search.hasTriggered
    foldsRuns = !search.hasTriggered
    order = Order(rawValue: search["sort"]) ?? .newest
  }
}

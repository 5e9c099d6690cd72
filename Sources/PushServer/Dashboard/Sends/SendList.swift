import Markup
import PushPayload
import PushStore

/// The list of an app's sends, the newest first.
struct SendList {
  var request: PageRequest
  var sends: [Send]
  var total: Int
  var isFirst: Bool
  var hasMore: Bool
  /// The names of audiences by ID.
  var audiences: [String: String]

  var html: HTML {
    """
    <div class="head"><h1>Sends</h1>\
    <a class="button primary" href="\(request.path(.compose))">Compose</a></div>
    \(sends.isEmpty ? empty : table)
    <p><a href="\(request.path(.sends) + ActivityList.path)">Live Activities</a></p>
    """
  }

  private var empty: HTML {
    """
    <div class="card empty"><h2>No sends yet</h2>
    <p>Compose a notification, preview it and send a test.</p>
    <p><a class="button primary" href="\(request.path(.compose))">Compose</a></p></div>
    """
  }

  private var table: HTML {
    let rows: HTML = """
      <table>
      <caption>\(sends.count) of \(total) \(total == 1 ? "send" : "sends")</caption>
      <thead><tr><th scope="col" class="thumbs">Preview</th>\
      <th scope="col">Notification</th><th scope="col">Status</th>\
      <th scope="col">Audience</th><th scope="col">Created</th><th scope="col" class="number">Targeted</th>\
      <th scope="col" class="number">Sent</th><th scope="col" class="number">Failed</th>\
      <th scope="col" class="number">Displayed</th><th scope="col" class="number">Opened</th></tr></thead>
      <tbody>\(sends.map(row))</tbody>
      </table>
      """
    return "\(HTML.table("Sends", rows))<div class=\"row\">\(newest)\(older)</div>"
  }

  private var newest: HTML? {
    isFirst ? nil : "<a class=\"button\" href=\"\(request.path(.sends))\">Newest</a>"
  }

  private var older: HTML? {
    guard hasMore, let last = sends.last else { return nil }
    return "<a class=\"button\" href=\"\(request.path(.sends))?after=\(last.id)\">Older</a>"
  }

  private func row(_ send: Send) -> HTML {
    """
    <tr><td class="thumbs">\(send.thumbnail(at: request.path(.sends)))</td>\
    <th scope="row"><a href="\(request.path(.sends))/\(send.id)">\(send.summary)</a></th>\
    <td>\(send.stateTag)</td><td>\(audienceName(send))</td><td>\(.time(send.createdAt))</td>\
    <td class="number">\(send.counts.targeted)</td><td class="number">\(send.counts.sent)</td>\
    <td class="number">\(send.counts.rejected + send.counts.uninstalled)</td>\
    <td class="number">\(send.counts.displayed)</td>\
    <td class="number">\(send.counts.opened)</td></tr>
    """
  }

  private func audienceName(_ send: Send) -> String {
    if send.audience == Identifiers.everyone(in: send.app) { return "All devices" }
    return audiences[send.audience] ?? "Filters"
  }
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

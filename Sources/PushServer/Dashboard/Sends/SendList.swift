import Markup
import PushPayload
import PushStore

/// The sends of an app, the newest first.
struct SendList {
  var visit: Visit
  var sends: [Send]
  var total: Int
  var isFirst: Bool
  var hasMore: Bool
  /// Names by id.
  var audiences: [String: String]

  var html: HTML {
    """
    <div class="head"><h1>Sends</h1>\
    <a class="button primary" href="\(visit.path(.compose))">Compose</a></div>
    \(sends.isEmpty ? empty : table)
    """
  }

  private var empty: HTML {
    """
    <div class="card empty"><h2>Nothing was sent yet</h2>
    <p>Write the first notification, see it as a phone will show it, and send a test.</p>
    <p><a class="button primary" href="\(visit.path(.compose))">Compose</a></p></div>
    """
  }

  private var table: HTML {
    let rows: HTML = """
      <table>
      <caption>\(sends.count) of \(total) \(total == 1 ? "send" : "sends")</caption>
      <thead><tr><th scope="col" class="thumbs">On the phone</th>\
      <th scope="col">Notification</th><th scope="col">State</th>\
      <th scope="col">To</th><th scope="col">Accepted</th><th scope="col" class="number">Targeted</th>\
      <th scope="col" class="number">Sent</th><th scope="col" class="number">Failed</th>\
      <th scope="col" class="number">Shown</th><th scope="col" class="number">Opened</th></tr></thead>
      <tbody>\(sends.map(row))</tbody>
      </table>
      """
    return "\(HTML.table("Sends", rows))<div class=\"row\">\(newest)\(older)</div>"
  }

  private var newest: HTML? {
    isFirst ? nil : "<a class=\"button\" href=\"\(visit.path(.sends))\">Newest</a>"
  }

  private var older: HTML? {
    guard hasMore, let last = sends.last else { return nil }
    return "<a class=\"button\" href=\"\(visit.path(.sends))?after=\(last.id)\">Older</a>"
  }

  private func row(_ send: Send) -> HTML {
    """
    <tr><td class="thumbs">\(send.picture(at: visit.path(.sends)))</td>\
    <th scope="row"><a href="\(visit.path(.sends))/\(send.id)">\(send.words)</a></th>\
    <td>\(send.stateTag)</td><td>\(audience(send))</td><td>\(.time(send.createdAt))</td>\
    <td class="number">\(send.counts.targeted)</td><td class="number">\(send.counts.sent)</td>\
    <td class="number">\(send.counts.rejected + send.counts.uninstalled)</td>\
    <td class="number">\(send.counts.displayed)</td>\
    <td class="number">\(send.counts.opened)</td></tr>
    """
  }

  private func audience(_ send: Send) -> String {
    if send.audience == Identifiers.everyone(in: send.app) { return "everyone" }
    return audiences[send.audience] ?? "filters"
  }
}

extension Send {
  /// As the lock screen lists it; fetched when it comes into sight.
  fileprivate func picture(at path: String) -> HTML {
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

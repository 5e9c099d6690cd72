import Markup
import PushModel

/// The audit log of an app or of the server, the newest entries first.
struct AuditLog {
  /// The value of the query's `log` for the server's log, which has the sign-ins of people.
  static let server = "server"

  var request: PageRequest
  var page: Page<AuditEntry>
  var isFirst: Bool
  var isOfServer: Bool
  /// The email addresses of people by the ids of their accounts.
  var emails: [String: String]

  private var base: String { request.path(.settings) + "/audit" }
  private var path: String { isOfServer ? base + "?log=\(Self.server)" : base }

  var html: HTML {
    """
    <p><a href="\(request.path(.settings))">Settings</a></p>
    <div class="head"><h1>Audit log\(" of the server", if: isOfServer)</h1>\
    \(request.actor.managesAllApps ? other : nil)</div>
    \(page.elements.isEmpty ? "<p class=\"muted\">No entries yet.</p>" : table)
    <div class="row">\(newest)\(older)</div>
    """
  }

  private var table: HTML {
    .table(
      "Audit log",
      """
      <table><caption>\(page.elements.count) of \(page.total) \
      \(page.total == 1 ? "entry" : "entries")</caption>
      <thead><tr><th scope="col">Action</th><th scope="col">Object</th><th scope="col">Time</th>\
      <th scope="col">Who</th><th scope="col">Address</th></tr></thead>
      <tbody>\(page.elements.map(row))</tbody></table>
      """)
  }

  private func row(_ entry: AuditEntry) -> HTML {
    """
    <tr><th scope="row">\(entry.action)</th><td><code>\(entry.object ?? "–")</code></td>\
    <td>\(.time(entry.at))</td><td>\(who(entry))</td>\
    <td>\(entry.address ?? "–")</td></tr>
    """
  }

  private func who(_ entry: AuditEntry) -> HTML {
    // A name is chosen freely, so the id or the address that nobody can choose is beside it.
    let name = entry.name.map { "\($0) " as HTML }
    if let key = entry.key { return "\(name)<code>\(key)</code>" }
    if let account = entry.account { return "\(name)<code>\(emails[account] ?? account)</code>" }
    // The command line has no address.
    return entry.address == nil ? "command line" : "unauthenticated"
  }

  private var other: HTML {
    isOfServer
      ? "<a class=\"button\" href=\"\(base)\">Log of \(request.app.name)</a>"
      : "<a class=\"button\" href=\"\(base)?log=\(Self.server)\">Log of the server</a>"
  }

  private var newest: HTML? {
    isFirst ? nil : "<a class=\"button\" href=\"\(path)\">Newest</a>"
  }

  private var older: HTML? {
    page.cursor.map {
      "<a class=\"button\" href=\"\(path)\(isOfServer ? "&amp;" as HTML : "?")after=\(URLEncoded.encode($0))\">Older</a>"
    }
  }
}

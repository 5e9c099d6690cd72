import Markup
import PushStore

/// Who did what, the newest first.
struct AuditLog {
  var visit: Visit
  var page: Page<AuditEntry>
  var isFirst: Bool

  private var path: String { visit.path(.settings) + "/audit" }

  var html: HTML {
    """
    <p><a href="\(visit.path(.settings))">Settings</a></p>
    <h1>Audit log</h1>
    \(page.elements.isEmpty ? "<p class=\"muted\">Nothing was done yet.</p>" : table)
    <div class="row">\(newest)\(older)</div>
    """
  }

  private var table: HTML {
    .table(
      "Audit log",
      """
      <table><caption>\(page.elements.count) of \(page.total) \
      \(page.total == 1 ? "entry" : "entries")</caption>
      <thead><tr><th scope="col">What</th><th scope="col">To which</th><th scope="col">When</th>\
      <th scope="col">By the key</th><th scope="col">From</th></tr></thead>
      <tbody>\(page.elements.map(row))</tbody></table>
      """)
  }

  private func row(_ entry: AuditEntry) -> HTML {
    """
    <tr><th scope="row">\(entry.action)</th><td><code>\(entry.object ?? "–")</code></td>\
    <td>\(.time(entry.at))</td><td><code>\(entry.key ?? "at the machine")</code></td>\
    <td>\(entry.address ?? "–")</td></tr>
    """
  }

  private var newest: HTML? {
    isFirst ? nil : "<a class=\"button\" href=\"\(path)\">Newest</a>"
  }

  private var older: HTML? {
    page.cursor.map { "<a class=\"button\" href=\"\(path)?after=\(Form.encoded($0))\">Older</a>" }
  }
}

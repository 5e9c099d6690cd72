import Markup
import PushStore

/// What one send came to, for whoever may not look at the send itself too.
struct SendReport {
  var visit: Visit
  var send: Send
  var failures: HTML?
  var hours: [SendHour] = []

  static func path(of send: Send, _ visit: Visit) -> String {
    "\(visit.path(.reports))/sends/\(send.id)"
  }

  var html: HTML {
    let table: HTML = """
      <table><thead><tr><th scope="col">Devices</th><th scope="col" class="number">Count</th>\
      <th scope="col" class="number">Of those targeted</th><th scope="col"><span class="hidden">\
      As a bar</span></th></tr></thead>
      <tbody>\(send.counts.rows.map(row))</tbody></table>
      """
    return """
      <p><a href="\(visit.path(.reports))">Reports</a></p>
      <div class="head"><h1>\(send.words)</h1>\(watch)</div>
      <p>\(send.stateTag) Accepted \(.time(send.createdAt)).</p>
      \(.table("Counts", table))
      <p class="help">Delivered, shown and opened are what devices reported; a device without the \
      app's extension reports nothing.</p>
      \(SendHours(hours: hours).html)
      \(failures)
      """
  }

  private var watch: HTML? {
    guard Section.sends.admits(visit.key.role) else { return nil }
    return "<a class=\"button\" href=\"\(visit.path(.sends))/\(send.id)\">Watch it</a>"
  }

  private func row(_ title: String, _ count: Int) -> HTML {
    """
    <tr><th scope="row">\(title)</th><td class="number">\(count)</td>\
    <td class="number">\(share(count))</td>\
    <td class="share">\(.share(count, of: send.counts.targeted, title))</td></tr>
    """
  }

  /// To a tenth of a percent.
  private func share(_ count: Int) -> String {
    guard send.counts.targeted > 0 else { return "–" }
    let tenths = Int((Double(count) / Double(send.counts.targeted) * 1000).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }
}

/// What the newest sends of an app came to, side by side.
struct SendReports {
  var visit: Visit
  var sends: [Send]

  var html: HTML {
    """
    <div class="head"><h2>Sends</h2>\(download)</div>
    \(sends.isEmpty ? "<p class=\"muted\">Nothing was sent yet.</p>" : table)
    """
  }

  private var download: HTML? {
    guard !sends.isEmpty else { return nil }
    return "<a class=\"button\" href=\"\(visit.path(.reports))/sends.csv\">Save sends as CSV</a>"
  }

  private var table: HTML {
    let heads = Send.Counts().rows.map { title, _ -> HTML in
      "<th scope=\"col\" class=\"number\">\(title)</th>"
    }
    let rows = sends.map { send -> HTML in
      let counts = send.counts.rows.map { _, count -> HTML in "<td class=\"number\">\(count)</td>" }
      return """
        <tr><th scope="row"><a href="\(SendReport.path(of: send, visit))">\(send.words)</a></th>\
        <td>\(.time(send.createdAt))</td>\(counts)</tr>
        """
    }
    return .table(
      "Sends",
      """
      <table><caption>The newest</caption><thead><tr><th scope="col">Notification</th>\
      <th scope="col">Accepted</th>\(heads)</tr></thead><tbody>\(rows)</tbody></table>
      """)
  }

  var csv: CSVTable {
    let head = ["id", "notification", "state", "accepted"]
    let rows = sends.map { send in
      [send.id, send.words, send.state.rawValue, send.createdAt.iso8601]
        + send.counts.rows.map { String($0.count) }
    }
    return CSVTable(rows: [head + Send.Counts().rows.map { $0.title.lowercased() }] + rows)
  }
}

extension Send.Counts {
  /// On the way from the order to the person.
  fileprivate var rows: [(title: String, count: Int)] {
    [
      ("Targeted", targeted), ("Sent", sent), ("Rejected", rejected), ("Uninstalled", uninstalled),
      ("Delivered", delivered), ("Shown", displayed), ("Opened", opened),
    ]
  }
}

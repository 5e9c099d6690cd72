import PushPayload
import PushStore

/// The page at `/`: apps and their last sends, as plain HTML without a script.
struct StatusPage {
  struct Section {
    var app: App
    var devices: Int
    var sends: [Send]
    var total: Int
  }

  var sections: [Section]

  var html: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Martlet</title>
    <style>
    body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
    .table { overflow-x: auto }
    table { border-collapse: collapse; width: 100% }
    caption { text-align: start; padding-block: .5rem }
    th, td { text-align: start; padding: .4rem .6rem; border-block-end: 1px solid #8886 }
    .number { text-align: end; font-variant-numeric: tabular-nums }
    </style>
    </head>
    <body>
    <header><h1>Martlet</h1></header>
    <main>
    \(sections.isEmpty ? Self.empty : sections.map(Self.section).joined(separator: "\n"))
    </main>
    </body>
    </html>

    """
  }

  private static let empty = "<p>No app yet. Make one with <code>martlet apps create</code>.</p>"

  private static func section(_ section: Section) -> String {
    let id = "app-\(escaped(section.app.id))"
    let content = section.sends.isEmpty ? "<p>Nothing was sent yet.</p>" : table(section)
    return """
      <section aria-labelledby="\(id)">
      <h2 id="\(id)">\(escaped(section.app.name))</h2>
      <p><code>\(escaped(section.app.bundleID))</code> · devices: \(section.devices)</p>
      \(content)
      </section>
      """
  }

  private static func table(_ section: Section) -> String {
    let columns = ["Targeted", "Sent", "Rejected", "Uninstalled"]
    let heads = columns.map { "<th scope=\"col\" class=\"number\">\($0)</th>" }.joined()
    return """
      <div class="table" tabindex="0" role="region" aria-label="Sends of \(escaped(section.app.name))">
      <table>
      <caption>The last \(section.sends.count) of \(section.total) sends</caption>
      <thead><tr><th scope="col">Notification</th><th scope="col">Text</th>\
      <th scope="col">State</th><th scope="col">Accepted</th>\(heads)</tr></thead>
      <tbody>
      \(section.sends.map(row).joined(separator: "\n"))
      </tbody>
      </table>
      </div>
      """
  }

  private static func row(_ send: Send) -> String {
    let counts = [
      send.counts.targeted, send.counts.sent, send.counts.rejected, send.counts.uninstalled,
    ]
    let text = send.payload["alert"]?.string ?? send.payload["title"]?.string ?? ""
    let time = send.createdAt.iso8601
    return """
      <tr><th scope="row"><code>\(escaped(send.id))</code></th>\
      <td>\(escaped(String(text.prefix(120))))</td><td>\(send.state.rawValue)</td>\
      <td><time datetime="\(time)">\(time)</time></td>\
      \(counts.map { "<td class=\"number\">\($0)</td>" }.joined())</tr>
      """
  }

  /// Text for an element or a quoted attribute.
  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.append(character)
      }
    }
  }
}

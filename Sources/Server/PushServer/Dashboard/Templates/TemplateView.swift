import Markup
import PushModel
import PushPayload

/// The page of a version of a template, with all versions.
struct TemplateView {
  var request: PageRequest
  var template: StoredTemplate
  /// The newest version; `nil` if the template was deleted.
  var newest: StoredTemplate?
  var versions: [StoredTemplate]
  var hasOlder: Bool
  /// Whether the list of versions begins with the newest one.
  var isFirst: Bool
  var keys: [APIKey]
  /// The names of people who have saved a version, by the ids of their accounts.
  var people: [String: String]
  var problem: String?

  private var path: String { TemplatePages.path(of: template.name, request) }
  private var isNewest: Bool { newest?.version == template.version }
  /// The part of a query that names the version that is shown.
  private var own: String { isNewest ? "" : "&version=\(template.version)" }

  var html: HTML {
    """
    <p><a href="\(request.path(.compose))\(TemplatePages.path)">Templates</a></p>
    <div class="head"><h1>\(template.name)</h1><div class="row">\
    <a class="button" href="\(request.path(.compose))?edit_template=\(template.name)\(own)">\
    \(isNewest ? "Edit" : "Edit from this version")</a>\
    <a class="button primary" href="\(request.path(.compose))?template=\(template.name)\(own)">Compose from it</a>\
    </div></div>
    \(problem.map { HTML.alert($0) })
    \(state)
    \(card)
    \(history)
    \(newest.map(delete))
    <details><summary>Content</summary><pre tabindex="0"><code>\(content)</code></pre></details>
    """
  }

  private var state: HTML {
    let version: HTML =
      "Version \(template.version), saved \(.time(template.savedAt)) by \(who(template))."
    if let saved = request.call.query("saved"), saved == String(template.version) {
      return """
        <p class="note" role="status">\(version) Campaigns that are written already keep the version that they name.</p>
        """
    }
    guard let newest else {
      return "<p class=\"note\">\(version) The template was deleted; its versions stay.</p>"
    }
    guard !isNewest else { return "<p>\(version)</p>" }
    return """
      <p class="note">\(version) The newest is <a href="\(path)">version \(newest.version)</a>.</p>
      """
  }

  private func who(_ version: StoredTemplate) -> HTML {
    guard let actor = version.savedBy else { return "an unknown key" }
    if actor == request.userID { return "you" }
    if let name = people[actor] { return "\(name)" }
    return "\(keys.first { $0.id == actor }?.inWords ?? APIKey.revoked)"
  }

  private var card: HTML {
    let payload = template.payload
    let texts = [payload["title"], payload["alert"]].compactMap {
      $0?.string ?? $0?[TextLocale.fallback]?.string
    }
    let picture = "\(path)/versions/\(template.version)/card.png"
    return """
      <section class="card"><h2>As a phone shows it</h2>
      <picture><source media="(prefers-color-scheme: dark)" srcset="\(picture)?dark=1">\
      <img class="shown" src="\(picture)" width="393" alt="\(texts.joined(separator: ". "))"></picture></section>
      """
  }

  private var history: HTML {
    let rows = versions.map { version -> HTML in
      let isShown = version.version == template.version
      return """
        <tr><th scope="row"><a href="\(path)?version=\(version.version)"\
        \(" aria-current=\"true\"", if: isShown)>Version \(version.version)</a></th>\
        <td>\(.time(version.savedAt))</td><td>\(who(version))</td></tr>

        """
    }
    let table: HTML = """
      <table class="list"><caption class="hidden">Versions</caption>
      <thead><tr><th scope="col">Version</th><th scope="col">Saved</th><th scope="col">By</th></tr></thead>
      <tbody>\(rows)</tbody></table>
      """
    let first = "\(path)?version=\(template.version)"
    let pages = HTML.pages(
      first: isFirst ? nil : first,
      next: hasOlder ? "\(first)&before=\(versions.last?.version ?? 0)" : nil)
    return "<h2>Versions</h2>\(HTML.table("Versions", table))<div class=\"row\">\(pages)</div>"
  }

  private func delete(_ newest: StoredTemplate) -> HTML {
    """
    <form method="post" action="\(path)">\(request.session.tokenField)
    <input type="hidden" name="version" value="\(newest.version)">
    <details class="ask"><summary class="button">Delete…</summary>
    <p>It leaves the list. Campaigns that name a version of it send that all the same.</p>
    <button class="danger" name="action" value="delete">Delete template</button></details></form>
    """
  }

  private var content: String {
    String(decoding: template.payload.serialized(), as: UTF8.self)
  }
}

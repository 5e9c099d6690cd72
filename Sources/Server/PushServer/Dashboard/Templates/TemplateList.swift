import Markup
import PushModel

/// The list of an app's templates.
struct TemplateList {
  var request: PageRequest
  var page: Page<StoredTemplate>
  var search: ListSearch
  var isFirst: Bool

  private var path: String { request.path(.compose) + TemplatePages.path }

  var html: HTML {
    """
    \(MessageTab.templates.bar(request))
    <div class="head"><h1>Templates</h1>\
    <a class="button primary" href="\(request.path(.compose))?edit_template">New template</a></div>
    \(page.total > 0 || !search.isEmpty ? search.form : nil)
    \(page.elements.isEmpty ? (search.isEmpty ? empty : search.nothing("template")) : table)
    """
  }

  private var empty: HTML {
    """
    <div class="card empty"><h2>No templates yet</h2>
    <p>A template is a message to begin others with. Each save is a version, and old ones stay.</p>
    <p><a class="button primary" href="\(request.path(.compose))?edit_template">New template</a></p></div>
    """
  }

  private var table: HTML {
    let rows = page.elements.map { template -> HTML in
      """
      <tr><th scope="row"><a href="\(path)/\(template.name)">\(template.name)</a></th>\
      <td class="number">\(template.version)</td><td>\(.time(template.savedAt))</td>\
      <td><a href="\(request.path(.compose))?template=\(template.name)" \
      aria-label="Compose from \(template.name)">Compose</a></td></tr>

      """
    }
    let table: HTML = """
      <table class="list"><caption>\(page.elements.count) of \(page.total) \
      \(page.total == 1 ? "template" : "templates")</caption>
      <thead><tr><th scope="col">Template</th><th scope="col" class="number">Version</th>\
      <th scope="col">Saved</th><th scope="col"><span class="hidden">Actions</span></th></tr></thead>
      <tbody>\(rows)</tbody></table>
      """
    return """
      \(HTML.table("Templates", table))\(search.pages(after: page.cursor, isFirst: isFirst))
      """
  }
}

extension ListSearch {
  /// The search of the list of templates.
  static func templates(_ request: PageRequest) -> ListSearch {
    ListSearch(
      request, at: request.path(.compose) + TemplatePages.path, label: "Name",
      choices: [.order(("", "By name"), ("saved", "Last saved first"))])
  }
}

import Markup
import PushModel

/// The list of an app's templates, by name.
struct TemplateList {
  var request: PageRequest
  var page: Page<StoredTemplate>
  var search: String

  private var path: String { request.path(.compose) + TemplatePages.path }

  var html: HTML {
    """
    <p><a href="\(request.path(.compose))">Compose</a></p>
    <div class="head"><h1>Templates</h1>\
    <a class="button primary" href="\(request.path(.compose))?edit_template">New template</a></div>
    \(page.total > 0 || !search.isEmpty ? form : nil)
    \(page.elements.isEmpty ? empty : table)
    """
  }

  private var form: HTML {
    """
    <form method="get" action="\(path)" class="row" role="search">
    <label for="q" class="hidden">Name</label>
    <input id="q" name="q" placeholder="Name" value="\(search)" autocomplete="off">
    <button>Search</button></form>
    """
  }

  private var empty: HTML {
    guard search.isEmpty else {
      return """
        <p class="note" role="status">No template matches. <a href="\(path)">Show all templates</a></p>
        """
    }
    return """
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
    let fields = [("q", search), ("after", page.cursor ?? "")].filter { !$0.1.isEmpty }
    let more: HTML? = page.cursor.map { _ in
      let query = Form(fields.map { (name: $0.0, value: $0.1) }).urlEncoded
      return "<a class=\"button\" href=\"\(path)?\(query)\">More</a>"
    }
    return "\(HTML.table("Templates", table))<div class=\"row\">\(more)</div>"
  }
}

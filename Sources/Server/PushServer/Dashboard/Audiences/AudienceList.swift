import Markup
import PushModel

/// The list of an app's named audiences.
struct AudienceList {
  var request: PageRequest
  var search: ListSearch
  var isFirst: Bool
  var page: AudiencePage
  var rows: [Row]
  /// The audience that was just deleted.
  var deleted: Audience?

  /// An audience with the number of its devices, or with the reason why the number is unknown.
  struct Row {
    var audience: Audience
    /// The conditions in words.
    var words: String
    var count: Result<AudienceCount, StoreError>
  }

  var html: HTML {
    let path = request.path(.audiences)
    let table: HTML = """
      <table class="list"><caption>\(rows.count + page.damaged.count) of \(page.total) \
      \(page.total == 1 ? "audience" : "audiences")</caption>
      <thead><tr><th scope="col">Name</th><th scope="col" class="number">Devices</th>\
      <th scope="col" class="number wide">Reachable by push</th><th scope="col" class="wide">Updated</th>\
      <th scope="col">Actions</th></tr></thead>
      <tbody>\(rows.map(row))</tbody></table>
      """
    let new: HTML = "<a class=\"button primary\" href=\"\(path)/new\">New audience</a>"
    return """
      <div class="head"><h1>Audiences</h1>\(new, if: request.may(.write))</div>
      \(deleted.map(undo))
      \(page.total > 0 || !search.isEmpty ? search.form : nil)
      \(page.damaged.map(note))
      \(rows.isEmpty ? (page.damaged.isEmpty ? none : nil) : HTML.table("Audiences", table))
      \(search.pages(after: page.cursor, isFirst: isFirst))
      """
  }

  private var none: HTML {
    guard search.isEmpty else { return search.nothing("audience") }
    let create: HTML = """
      <p><a class="button primary" href="\(request.path(.audiences))/new">Create audience</a></p>
      """
    return """
      <div class="card empty"><h2>No audiences yet</h2>
      <p>An audience is a set of devices, chosen by tags, attributes or activity. Its devices are \
      determined at every send.</p>
      \(create, if: request.may(.write))</div>
      """
  }

  /// The damage of an audience, and the button to delete it.
  private func note(_ audience: DamagedAudience) -> HTML {
    let delete: HTML = """
      \(request.session.tokenField)<button class="danger" name="action" value="delete">Delete \
      <span class="hidden">\(audience.id)</span></button>
      """
    return """
      <form method="post" action="\(request.path(.audiences))/\(audience.id)" class="alert">
      <p>The audience \(audience.id) cannot be shown: \(audience.problem).</p>
      \(delete, if: request.may(.write))</form>
      """
  }

  /// A note with an *Undo* button, unless the undo token is longer than a form field may be.
  private func undo(_ audience: Audience) -> HTML {
    let token = audience.undoToken(request.router.secretKey)
    let note: HTML = "<p class=\"note\" role=\"status\">“\(audience.name ?? "")” was deleted.</p>"
    guard token.utf8.count <= Form.maximumFieldLength else { return note }
    return """
      <form method="post" action="\(request.path(.audiences))/new" class="row">
      \(request.session.tokenField)
      <input type="hidden" name="deleted" value="\(token)">
      \(note)
      <button name="action" value="restore">Undo</button></form>
      """
  }

  private func row(_ row: Row) -> HTML {
    let numbers: HTML =
      switch row.count {
      case .success(let count):
        "<td class=\"number\">\(HTML.count(count.targeted))</td><td class=\"number wide\">\(HTML.count(count.pushEnabled))</td>"
      case .failure(let error): "<td colspan=\"2\">\(error.message)</td>"
      }
    let compose: HTML = """
      <a href="\(request.path(.compose))?to=\(row.audience.id)">Compose\
      <span class="hidden"> to \(row.audience.name ?? "")</span></a>
      """
    return """
      <tr><th scope="row"><a href="\(request.path(.audiences))/\(row.audience.id)">\(row.audience.name ?? "")</a> \
      \(Audience.testTag, if: row.audience.isTest)\
      <span class="words">\(row.words)</span></th>\
      \(numbers)\
      <td class="wide">\(.time(row.audience.updatedAt))</td>\
      <td>\(compose, if: request.mayOpen(.compose))</td></tr>
      """
  }
}

extension ListSearch {
  /// The search of the list of audiences.
  static func audiences(_ request: PageRequest) -> ListSearch {
    ListSearch(
      request, at: request.path(.audiences), label: "Name",
      choices: [
        Choice(
          name: "test", title: "Use",
          options: [("", "All audiences"), ("1", "Test audiences"), ("0", "No test audiences")]),
        .order(("", "Newest first"), ("oldest", "Oldest first"), ("name", "By name")),
      ])
  }
}

extension AudienceQuery {
  /// The query of a search of the list of audiences.
  init(_ search: ListSearch) {
    self.init(search.text)
    isTest = search["test"].isEmpty ? nil : search["test"] == "1"
    order = Order(rawValue: search["sort"]) ?? .newest
  }
}

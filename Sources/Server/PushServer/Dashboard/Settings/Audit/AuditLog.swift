import Markup
import PushModel

/// The audit log of an app or of the server, the newest entries first.
struct AuditLog {
  /// The value of the query's `log` for the server's log, which has the sign-ins of people.
  static let server = "server"

  var request: PageRequest
  var page: Page<AuditEntry>
  var filter: AuditFilter
  var names: AuditNames
  var isFirst: Bool
  var isOfServer: Bool
  var problem: String?

  private var base: String { request.path(.settings) + AuditPages.path }

  /// The address of the log, or of its file, with some fields of a query.
  private func address(
    _ fields: [(name: String, value: String)], file: Bool = false
  ) -> String {
    let query = Form((isOfServer ? [("log", Self.server)] : []) + fields).urlEncoded
    return base + (file ? ".csv" : "") + (query.isEmpty ? "" : "?" + query)
  }

  var html: HTML {
    """
    <p><a href="\(request.path(.settings))">Settings</a></p>
    <div class="head"><h1>Audit log\(" of the server", if: isOfServer)</h1><div class="row">\
    \(request.actor.managesAllApps ? other : nil)\
    <a class="button" href="\(address(filter.fields, file: true))">Export as CSV</a></div></div>
    \(problem.map { HTML.problem($0) })
    \(form)
    \(page.elements.isEmpty ? empty : table)
    <div class="row">\(pages)</div>
    """
  }

  private var empty: HTML {
    filter.isEmpty
      ? "<p class=\"muted\">No entries yet.</p>"
      : """
      <p class="note" role="status">No entry matches. <a href="\(address([]))">Show all entries</a></p>
      """
  }

  // MARK: The filter

  private var form: HTML {
    let kinds = AuditWords.kinds.map { option($0.id, $0.title, chosen: filter.what) }
    return """
      <form method="get" action="\(base)" class="log-filter" role="search">\
      \("<input type=\"hidden\" name=\"log\" value=\"server\">", if: isOfServer)
      <div><label for="who">Who</label><select id="who" name="who">\(option("", "Anybody", chosen: filter.who))\
      \(who)</select></div>
      <div><label for="what">What</label><select id="what" name="what">\
      \(option("", "Any change", chosen: filter.what))\(kinds)</select></div>
      <div><label for="from">From</label><input id="from" name="from" type="date" value="\(filter.from)"></div>
      <div><label for="to">To</label><input id="to" name="to" type="date" value="\(filter.to)"></div>
      <button>Show</button></form>
      """
  }

  private func option(_ value: String, _ title: String, chosen: String) -> HTML {
    "<option value=\"\(value)\"\(" selected", if: value == chosen)>\(title)</option>"
  }

  private var who: [HTML] {
    let people = names.accounts.values.filter { account in
      isOfServer || account.grants.contains { $0.app == nil || $0.app == request.app.id }
    }.sorted { ($0.displayName, $0.id) < ($1.displayName, $1.id) }
    let keys = names.keys.values.filter { $0.app == (isOfServer ? nil : request.app.id) }
      .sorted { ($0.title, $0.id) < ($1.title, $1.id) }
    var choices = people.map { (AuditFilter.who($0), "\($0.displayName), \($0.email)") }
    choices += keys.map { key in
      let isNamed = key.name != nil
      return (
        AuditFilter.who(key),
        isNamed ? "\(key.title), \(key.role.rawValue) key" : "\(key.title) of \(key.createdAt.date)"
      )
    }
    choices.append((AuditFilter.unnamed, "Command line, or not signed in"))
    if !filter.who.isEmpty, !choices.contains(where: { $0.0 == filter.who }) {
      choices.append((filter.who, "A key or a person that is no longer here"))
    }
    return choices.map { option($0.0, $0.1, chosen: filter.who) }
  }

  // MARK: The entries

  private var table: HTML {
    .table(
      "Audit log",
      """
      <table class="list"><caption>\(page.elements.count) of \(page.total) \
      \(page.total == 1 ? "entry" : "entries")</caption>
      <thead><tr><th scope="col">Change</th><th scope="col" class="wide">Who</th>\
      <th scope="col" class="wide">When</th><th scope="col" class="wide">From</th></tr></thead>
      <tbody>\(page.elements.map(row))</tbody></table>
      """)
  }

  private func row(_ entry: AuditEntry) -> HTML {
    """
    <tr><th scope="row">\(AuditWords.words(entry.action))\(object(of: entry))\
    <div class="phone">\(who(entry))<br>\(.time(entry.at))</div></th><td class="wide">\(who(entry))</td>\
    <td class="wide">\(.time(entry.at))</td><td class="wide">\(entry.address ?? "–")</td></tr>

    """
  }

  private func object(of entry: AuditEntry) -> HTML? {
    guard let id = entry.object else { return nil }
    let object = names.object(of: entry)
    if let object, let path = object.path {
      return object.name.isEmpty
        ? " <a href=\"\(path)\">View</a>" : " <a href=\"\(path)\">\(object.name)</a>"
    }
    if let object, !object.name.isEmpty { return " \(object.name)" }
    return .copyID(id, of: "the object")
  }

  /// The name of who made an entry: as it is now, or else as it was then.
  static func name(of entry: AuditEntry, _ names: AuditNames) -> String {
    if let key = entry.key {
      return names.keys[key]?.title ?? entry.name ?? "A key that was revoked"
    }
    if let account = entry.account {
      return names.accounts[account]?.displayName ?? entry.name ?? "A person who was removed"
    }
    // The command line has no address.
    return entry.address == nil ? "Command line" : "Not signed in"
  }

  private func who(_ entry: AuditEntry) -> HTML {
    // A name is chosen freely, so what nobody can choose is beside it.
    let proof: String? =
      if let key = entry.key {
        names.keys[key].map {
          "\($0.name == nil ? "" : "\($0.role.rawValue) key, ")made \($0.createdAt.date)"
        } ?? "key that was revoked"
      } else if let account = entry.account {
        names.accounts[account]?.email ?? "removed"
      } else {
        nil
      }
    let link = address([("who", AuditFilter.who(entry))])
    return """
      <a href="\(link)">\(Self.name(of: entry, names))</a>\
      \(proof.map { " <span class=\"muted\">\($0)</span>" as HTML })
      """
  }

  private var other: HTML {
    isOfServer
      ? "<a class=\"button\" href=\"\(base)\">Log of \(request.app.name)</a>"
      : "<a class=\"button\" href=\"\(base)?log=\(Self.server)\">Log of the server</a>"
  }

  private var pages: HTML {
    .pages(
      first: isFirst ? nil : address(filter.fields),
      next: page.cursor.map { address(filter.fields + [("after", $0)]) })
  }
}

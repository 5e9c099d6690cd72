import Markup
import PushModel

/// The list of an app's named audiences.
struct AudienceList {
  var request: PageRequest
  var rows: [Row]
  var damaged: [DamagedAudience]
  /// The audience that was just deleted.
  var deleted: Audience?

  /// An audience with the number of its devices, or with the reason why the number is unknown.
  struct Row {
    var audience: Audience
    var count: Result<AudienceCount, StoreError>
  }

  var html: HTML {
    let path = request.path(.audiences)
    let table: HTML = .table(
      "Audiences",
      """
      <table><thead><tr><th scope="col">Name</th><th scope="col" class="number">Devices</th>\
      <th scope="col" class="number">Reachable by push</th><th scope="col">Updated</th>\
      <th scope="col">Actions</th></tr></thead>
      <tbody>\(rows.map(row))</tbody></table>
      """)
    let empty: HTML = """
      <div class="card empty"><h2>No audiences yet</h2>
      <p>An audience is a set of devices, chosen by tags, attributes or activity. Its devices are \
      determined at every send.</p>
      <p><a class="button primary" href="\(path)/new">Create audience</a></p></div>
      """
    return """
      <div class="head"><h1>Audiences</h1><a class="button" href="\(path)/new">New audience</a></div>
      \(deleted.map(undo))
      \(damaged.map(note))
      \(!rows.isEmpty ? table : damaged.isEmpty ? empty : nil)
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
        "<td class=\"number\">\(count.targeted)</td><td class=\"number\">\(count.pushEnabled)</td>"
      case .failure(let error): "<td colspan=\"2\">\(error.message)</td>"
      }
    return """
      <tr><th scope="row"><a href="\(request.path(.audiences))/\(row.audience.id)">\(row.audience.name ?? "")</a> \
      \("<span class=\"tag\">test</span>", if: row.audience.isTest)</th>\
      \(numbers)\
      <td>\(.time(row.audience.updatedAt))</td>\
      <td><a href="\(request.path(.compose))?to=\(row.audience.id)">Compose\
      <span class="hidden"> to \(row.audience.name ?? "")</span></a></td></tr>
      """
  }
}

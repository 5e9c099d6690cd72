import Markup
import PushModel

/// The page of the people who may use an app.
struct TeamView {
  var request: PageRequest
  var accounts: [Account]
  var confirmation: Confirmation
  var result: TeamPages.Result

  private var path: String { TeamPages.path(request) }
  private var isRefused: Bool { result.problem != nil }

  var html: HTML {
    """
    <p><a href="\(request.path(.settings))">Settings</a></p>
    <h1>Team</h1>
    \(result.problem.map { HTML.problem($0) })
    \(result.notice.map { "<p class=\"note\" role=\"status\">\($0)</p>" as HTML })
    \(result.link.map(linkCard))
    \(accounts.isEmpty ? "<p class=\"muted\">Nobody yet: people sign in with keys.</p>" : table)
    \(invitation)
    \(roles)
    """
  }

  private func linkCard(_ link: (title: String, url: String)) -> HTML {
    """
    <section class="card" role="status">
    <label for="link">\(link.title)</label>
    <div class="row"><input id="link" readonly value="\(link.url)" autocomplete="off" spellcheck="false" autofocus \
    aria-describedby="link-help"><button type="button" data-copy="link" hidden>Copy</button></div>
    <p class="help" id="link-help">Give it to this person alone: whoever opens it chooses the password. It works once, \
    for three days, and is shown only now. No mail is sent.</p>
    </section>
    """
  }

  private var table: HTML {
    .table(
      "Team",
      """
      <table class="list"><caption>\(accounts.count) \(accounts.count == 1 ? "person" : "people")</caption>
      <thead><tr><th scope="col">Name</th><th scope="col" class="wide">Role</th>\
      <th scope="col" class="wide">Second factor</th>\
      <th scope="col">Change</th></tr></thead>
      <tbody>\(accounts.map(row))</tbody></table>
      """)
  }

  private func row(_ account: Account) -> HTML {
    let roles = account.grants.filter { $0.app == nil || $0.app == request.app.id }.map {
      $0.app == nil ? "\($0.role.rawValue) of all apps" : $0.role.rawValue
    }.joined(separator: ", ")
    let isOwn = account.id == request.person?.id
    let role = roles.isEmpty ? "none" : roles
    let factor = account.secondFactor == nil ? "no" : "yes"
    return """
      <tr><th scope="row">\(account.displayName) \("<span class=\"tag\">you</span>", if: isOwn)\
      \("<span class=\"tag wait\">invited</span>", if: account.hasNotJoined)\
      <div class="muted">\(account.email)</div><div class="phone">Role: \(role) · second factor: \(factor)</div></th>\
      <td class="wide">\(role)</td><td class="wide">\(factor)</td>\
      <td>\(isOwn ? own : changes(of: account))</td></tr>
      """
  }

  private var own: HTML { "<a href=\"\(AccountPages.path)\">Your account</a>" }

  private func changes(of account: Account) -> HTML {
    let own = account.grants.first { $0.app == request.app.id }
    let grant = own ?? account.grants.first { $0.app == nil }
    let options = Account.Role.allCases.map { role -> HTML in
      "<option value=\"\(role.rawValue)\"\(" selected", if: role == grant?.role)>\(role.rawValue)</option>"
    }
    return """
      <details><summary>Change<span class="hidden"> \(account.email)</span></summary>
      <form method="post" action="\(path)">\(request.session.tokenField)
      <input type="hidden" name="account" value="\(account.id)">
      <label for="role-\(account.id)">Role</label>
      <select id="role-\(account.id)" name="role">\(options)\
      <option value="\(InvitationForm.noRole)"\(" selected", if: grant == nil)>no role</option></select>
      \(scope(id: "scope-\(account.id)", isForAll: own == nil && grant != nil))
      \(confirmation.field(id: "current-\(account.id)"))
      <p><button name="action" value="role">Save role</button></p>
      \(request.actor.may(.link, of: account) ? accountButtons(account) : nil)</form></details>
      """
  }

  private func accountButtons(_ account: Account) -> HTML {
    """
    <div class="row"><button name="action" value="new-link">New link</button>\
    \("<button name=\"action\" value=\"end-sessions\" formnovalidate>End sessions</button>", if: !account.hasNotJoined)\
    \("<button name=\"action\" value=\"no-second-factor\">Turn the second factor off</button>",
      if: account.secondFactor != nil)\
    \("<button name=\"action\" value=\"no-passkeys\">Remove the passkeys (\(account.passkeyCount))</button>",
      if: account.passkeyCount > 0)\
    <button class="danger" name="action" value="remove" formnovalidate>Remove</button></div>
    """
  }

  /// The choice between this app and all apps for a role; `nil` if the user does not manage all apps.
  private func scope(id: String, isForAll: Bool) -> HTML? {
    guard request.actor.managesAllApps else { return nil }
    return """
      <label for="\(id)">In</label><select id="\(id)" name="scope"><option value="app">\(request.app.name)</option>\
      <option value="\(InvitationForm.allApps)"\(" selected", if: isForAll)>all apps</option></select>
      """
  }

  private var invitation: HTML {
    // The other forms of the page have a role of theirs.
    let form = InvitationForm(request.form.isOf("invite") ? request.form : Form())
    let options = Account.Role.allCases.map { role -> HTML in
      "<option value=\"\(role.rawValue)\"\(" selected", if: role.rawValue == form.role)>\(role.summary)</option>"
    }
    let isOpen =
      accounts.isEmpty || (isRefused && request.form["action"] == "invite")
      || request.form[SavedForm.pressed] == "invite"
    return """
      <details class="card"\(" open", if: isOpen)><summary>Invite a person</summary>
      <form method="post" action="\(path)">\(request.session.tokenField)
      <div class="columns">
      <div><label for="email">Email</label><input id="email" name="email" type="email" required maxlength="254" \
      value="\(form.email)" autocomplete="off"></div>
      <div><label for="name">Name</label><input id="name" name="name" maxlength="100" value="\(form.name)" \
      autocomplete="off"></div></div>
      <label for="role">Role</label><select id="role" name="role">\(options)</select>
      \(scope(id: "scope", isForAll: form.isForAllApps))
      \(confirmation.field(id: "current"))
      <p><button class="primary" name="action" value="invite">Make invitation link</button></p>
      </form></details>
      """
  }

  private var roles: HTML {
    let rows = Permission.allCases.map { permission -> HTML in
      let cells = Account.Role.allCases.map { role -> HTML in
        "<td>\(role.permissions.contains(permission) ? "yes" : "–")</td>"
      }
      return "<tr><th scope=\"row\">\(permission.summary)</th>\(cells)</tr>\n"
    }
    let heads = Account.Role.allCases.map { "<th scope=\"col\">\($0.rawValue)</th>" as HTML }
    return """
      <details class="card"><summary>What each role may do</summary>
      \(HTML.table("Roles", """
        <table><caption>Roles</caption><thead><tr><th scope="col">Permission</th>\(heads)</tr></thead><tbody>\(rows)</tbody></table>
        """))</details>
      """
  }
}

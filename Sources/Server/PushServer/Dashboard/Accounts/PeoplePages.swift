import Markup
import PushStore
import _HTTPServer

/// The page of the people who may use an app: invitations, roles, links for new passwords, and sessions.
enum PeoplePages {
  static let all: [Route] = [
    .page("GET", .settings, at: "/people") { request in try await page(request) },
    .page("POST", .settings, at: "/people", handler: submit),
  ]

  /// The actions that change who may sign in, the ways to do so, or the roles.
  private static let confirmed: Set = [
    "invite", "role", "new-link", "no-second-factor", "no-passkeys",
  ]

  static func path(_ request: PageRequest) -> String { request.path(.settings) + "/people" }

  /// The result of a form.
  struct Result {
    var status = 200
    var notice: String?
    var problem: String?
    /// A link that is shown once, with a title that names its person.
    var link: (title: String, url: String)?
  }

  private static func page(
    _ request: PageRequest, _ result: Result = Result()
  ) async throws -> HTTPResponse {
    let accounts = try await request.api.store.accounts().filter { account in
      account.grants.contains { $0.app == nil || $0.app == request.app.id }
        || (request.access.managesAllApps && account.grants.isEmpty)
    }
    let view = PeopleView(
      request: request, accounts: accounts, confirmation: try await Confirmation(for: request),
      result: result)
    return WebPage(
      title: "People", section: .settings, main: view.html,
      scripts: result.link == nil ? [] : ["copy.js"]
    ).response(status: result.status, for: request)
  }

  private static func submit(_ request: PageRequest) async throws -> HTTPResponse {
    do {
      let action = request.form["action"]
      if confirmed.contains(action ?? "") {
        try await Confirmation(for: request).check(request)
      }
      if action == "invite" { return try await invite(request) }
      let account = try await account(request)
      switch action {
      case "role": return try await changeRole(of: account, request)
      case "new-link":
        try request.check(.link, of: account)
        return try await page(request, Result(link: try await newLink(for: account, request)))
      case "end-sessions":
        try request.check(.endSessions, of: account)
        let count = try await store(for: request, "session.end", of: account)
          .endSessions(of: account.id, except: nil)
        return try await page(
          request, Result(notice: "\(account.displayName) was signed out of \(count) sessions."))
      case "no-second-factor":
        try request.check(.removeSecondFactor, of: account)
        try await store(for: request, "second_factor.remove", of: account)
          .setSecondFactor(nil, of: account.id)
        return try await page(
          request, Result(notice: "\(account.displayName) signs in with the password alone now."))
      case "no-passkeys":
        try request.check(.removePasskeys, of: account)
        try await store(for: request, "passkey.remove", of: account)
          .removePasskeys(of: account.id)
        return try await page(
          request, Result(notice: "\(account.displayName) signs in without a passkey now."))
      case "remove":
        try request.check(.remove, of: account)
        _ = try await store(for: request, "account.remove", of: account).removeAccount(account.id)
        return try await page(request, Result(notice: "\(account.displayName) was removed."))
      default: return try await page(request)
      }
    } catch let error as RequestError {
      return try await page(request, Result(status: error.status, problem: error.message))
    } catch let error as StoreError where error.code == .refused {
      return try await page(request, Result(status: 422, problem: error.message))
    } catch let refusal as AccountRequest.Refusal {
      return try await page(request, Result(status: refusal.status, problem: refusal.message))
    }
  }

  private static func invite(_ request: PageRequest) async throws -> HTTPResponse {
    let form = InvitationForm(request.form)
    guard let email = EmailAddress(form.email) else {
      throw RequestError(.invalid, "enter an email address, such as ada@example.com")
    }
    if !form.name.isEmpty,
      let problem = DisplayText.problem(form.name, upTo: Account.nameLimit)
    {
      throw RequestError(.invalid, "the name \(problem)")
    }
    let address = try request.api.address()
    guard let grant = try grant(form.role, isForAll: form.isForAllApps, request) else {
      throw RequestError(.invalid, "choose a role")
    }
    let known = try await request.api.store.account(email: email.text)
    let invited =
      known ?? Account(id: "", email: email.text, name: form.name, createdAt: request.now)
    try request.check(.role(app: grant.app), of: invited)
    // A user who may not change an account gets no link to it, because the link sets its password.
    if invited.hasNotJoined, known != nil { try request.check(.link, of: invited) }
    let (account, path) = try await request.actions.store(
      for: request.actor, "account.invite", known?.id ?? email.text
    )
    .invite(email, name: form.name, grant: grant, by: request.authority, at: request.now)
    var done = request
    done.form = Form()
    guard let path else {
      return try await page(
        done,
        Result(
          notice: "\(account.displayName) has an account already, and has the role from now on."))
    }
    return try await page(
      done, Result(link: ("Invitation for \(account.email)", address + path)))
  }

  private static func newLink(
    for account: Account, _ request: PageRequest
  ) async throws -> (title: String, url: String) {
    let address = try request.api.address()
    let store = store(for: request, "account.link", of: account)
    guard
      let path = try await store.newLink(for: account, by: request.authority, at: request.now)
    else { throw RequestError.notFound("account with this id") }
    return ("Link for \(account.email)", address + path)
  }

  private static func changeRole(
    of account: Account, _ request: PageRequest
  ) async throws -> HTTPResponse {
    let isForAll = request.form["scope"] == InvitationForm.allApps
    let app = isForAll ? nil : request.app.id
    try request.check(.role(app: app), of: account)
    let grant = try grant(request.form["role"] ?? "", isForAll: isForAll, request)
    guard
      let changed = try await store(for: request, "account.role", of: account)
        .setRole(
          grant?.role, app: app, of: account.id, by: request.authority, at: request.now)
    else { throw RequestError.notFound("account with this id") }
    guard changed.hasNotJoined, !account.hasNotJoined else { return .seeOther(path(request)) }
    let notice = """
      \(changed.displayName) has the role, and must choose a new password with the link below. The link for the old one \
      came from somebody who cannot give this role.
      """
    return try await page(
      request, Result(notice: notice, link: try await newLink(for: changed, request)))
  }

  /// The role that a form names; `nil` if it names no role.
  private static func grant(
    _ role: String, isForAll: Bool, _ request: PageRequest
  ) throws(RequestError) -> Account.Grant? {
    if role == InvitationForm.noRole { return nil }
    guard let role = Account.Role(rawValue: role) else {
      throw RequestError(.invalid, "choose a role")
    }
    return Account.Grant(role, app: isForAll ? nil : request.app.id)
  }

  private static func account(_ request: PageRequest) async throws -> Account {
    guard let account = try await request.api.store.account(request.form["account"] ?? ""),
      request.access.managesAllApps
        || account.grants.contains(where: { $0.app == request.app.id })
    else { throw RequestError.notFound("account with this id") }
    return account
  }

  /// The store for one change, which writes an entry into the app's audit log.
  private static func store(
    for request: PageRequest, _ action: String, of account: Account
  ) -> any PushStore {
    request.actions.store(for: request.actor, action, account.id)
  }
}

/// The submitted form of an invitation.
struct InvitationForm: Sendable {
  static let allApps = "all"
  static let noRole = "none"

  var email: String
  var name: String
  var role: String
  var isForAllApps: Bool

  init(_ form: Form) {
    email = form["email"] ?? ""
    name = form["name"] ?? ""
    role = form["role"] ?? Account.Role.author.rawValue
    isForAllApps = form["scope"] == Self.allApps
  }
}

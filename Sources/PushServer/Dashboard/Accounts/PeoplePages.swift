import Markup
import PushStore
import _HTTPServer

/// The page of the people who may use an app: invitations, roles, links for new passwords, and sessions.
enum PeoplePages {
  static let all: [Route] = [
    .page("GET", .settings, at: "/people") { request in try await page(request) },
    .page("POST", .settings, at: "/people", handler: submit),
  ]

  static func path(_ request: PageRequest) -> String { request.path(.settings) + "/people" }

  /// What a form did.
  struct Result {
    var status = 200
    var notice: String?
    var problem: String?
    /// A link that is shown once, and whose it is.
    var link: (title: String, url: String)?
  }

  private static func page(
    _ request: PageRequest, _ result: Result = Result()
  ) async throws -> HTTPResponse {
    let accounts = try await request.api.store.accounts().filter { account in
      account.grants.contains { $0.app == nil || $0.app == request.app.id }
        || (request.access.managesAllApps && account.grants.isEmpty)
    }
    let view = PeopleView(request: request, accounts: accounts, result: result)
    return WebPage(
      title: "People", section: .settings, main: view.html,
      scripts: result.link == nil ? [] : ["copy.js"]
    ).response(status: result.status, for: request)
  }

  private static func submit(_ request: PageRequest) async throws -> HTTPResponse {
    do {
      let action = request.form["action"]
      if action == "invite" { return try await invite(request) }
      let account = try await account(request)
      switch action {
      case "role": return try await changeRole(of: account, request)
      case "new-link":
        try checkManages(account, request)
        let store = store(for: request, "account.link", of: account)
        guard let path = try await store.newLink(for: account, at: request.now) else {
          throw APIError.notFound("account with this id")
        }
        return try await page(
          request, Result(link: ("Link for \(account.email)", request.address(of: path))))
      case "end-sessions":
        try checkManages(account, request)
        let count = try await store(for: request, "session.end", of: account)
          .endSessions(of: account.id, except: nil)
        return try await page(
          request, Result(notice: "\(account.displayName) was signed out of \(count) sessions."))
      case "no-second-factor":
        try checkManages(account, request)
        try await store(for: request, "second_factor.remove", of: account)
          .setSecondFactor(nil, of: account.id)
        return try await page(
          request, Result(notice: "\(account.displayName) signs in with the password alone now."))
      case "no-passkeys":
        try checkManages(account, request)
        try await store(for: request, "passkey.remove", of: account)
          .removePasskeys(of: account.id)
        return try await page(
          request, Result(notice: "\(account.displayName) signs in without a passkey now."))
      case "remove":
        guard account.id != request.person?.id else { throw ownRole }
        try checkManages(account, request)
        _ = try await store(for: request, "account.remove", of: account).removeAccount(account.id)
        return try await page(request, Result(notice: "\(account.displayName) was removed."))
      default: return try await page(request)
      }
    } catch let error as APIError {
      return try await page(request, Result(status: error.status, problem: error.message))
    }
  }

  private static func invite(_ request: PageRequest) async throws -> HTTPResponse {
    let form = InvitationForm(request.form)
    guard let email = EmailAddress(form.email) else {
      throw APIError(422, "enter an email address, such as ada@example.com")
    }
    guard form.name.count <= 100 else {
      throw APIError(422, "a name has at most 100 characters")
    }
    let grant = try grant(form.role, isForAll: form.isForAllApps, request)
    let call = request.apiCall("POST", "")
    guard let role = grant else { throw APIError(422, "choose a role") }
    let known = try await request.api.store.account(email: email.text)
    if let known, known.id == request.person?.id {
      throw ownRole
    }
    // Who may not change an account gets no link to it, and so not its password.
    if let known, known.hasNotJoined { try checkManages(known, request) }
    let (account, path) = try await request.api.store(
      for: call, "account.invite", known?.id ?? email.text
    )
    .invite(
      email, name: form.name, grant: role, at: request.now, mayLink: request.manages)
    var done = request
    done.form = Form()
    guard let path else {
      return try await page(
        done,
        Result(
          notice: "\(account.displayName) has an account already, and has the role from now on."))
    }
    return try await page(
      done, Result(link: ("Invitation for \(account.email)", request.address(of: path))))
  }

  private static func changeRole(
    of account: Account, _ request: PageRequest
  ) async throws -> HTTPResponse {
    guard account.id != request.person?.id else {
      throw ownRole
    }
    let isForAll = request.form["scope"] == InvitationForm.allApps
    let grant = try grant(request.form["role"] ?? "", isForAll: isForAll, request)
    let app = isForAll ? nil : request.app.id
    guard
      try await store(for: request, "account.role", of: account)
        .setRole(grant?.role, app: app, of: account.id)
    else { throw APIError.notFound("account with this id") }
    return .seeOther(path(request))
  }

  /// The role that a form names; `nil` for none.
  ///
  /// - Throws: ``APIError`` 403 where the user may not give it in all apps.
  private static func grant(
    _ role: String, isForAll: Bool, _ request: PageRequest
  ) throws(APIError) -> Account.Grant? {
    guard !isForAll || request.access.managesAllApps else {
      throw APIError(403, "only an admin of all apps gives roles in all apps")
    }
    if role == InvitationForm.noRole { return nil }
    guard let role = Account.Role(rawValue: role) else {
      throw APIError(422, "choose a role")
    }
    return Account.Grant(role, app: isForAll ? nil : request.app.id)
  }

  private static let ownRole = APIError(
    422, "you cannot change your own role; ask another admin")

  private static func account(_ request: PageRequest) async throws -> Account {
    guard let account = try await request.api.store.account(request.form["account"] ?? ""),
      request.access.managesAllApps
        || account.grants.contains(where: { $0.app == request.app.id })
    else { throw APIError.notFound("account with this id") }
    return account
  }

  /// Refuses to change an account that has roles in other apps: its password opens those too.
  private static func checkManages(
    _ account: Account, _ request: PageRequest
  ) throws(APIError) {
    guard request.manages(account) else {
      throw APIError(
        403, "\(account.email) has roles in other apps, so only an admin of all apps may do this")
    }
  }

  /// The store for one change, which writes an entry into the app's audit log.
  private static func store(
    for request: PageRequest, _ action: String, of account: Account
  ) -> any PushStore {
    request.api.store(for: request.apiCall("POST", ""), action, account.id)
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

extension PageRequest {
  /// Whether the user may do to an account what its person does: choose the password, end sessions, remove it.
  func manages(_ account: Account) -> Bool {
    access.managesAllApps || (may(.manage) && account.belongs(to: app.id))
  }

  /// The address of a page of this server, for people elsewhere.
  func address(of path: String) -> String { publicBase + path }
}

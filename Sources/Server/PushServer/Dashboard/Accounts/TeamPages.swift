import Markup
import PushModel
import _HTTPServer

/// The page of the team, the people who may use an app: invitations, roles, links for new passwords, and sessions.
enum TeamPages {
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
    let accounts = try await request.router.store.accounts().filter { account in
      account.grants.contains { $0.app == nil || $0.app == request.app.id }
        || (request.actor.managesAllApps && account.grants.isEmpty)
    }
    let view = TeamView(
      request: request, accounts: accounts, confirmation: request.confirmation,
      result: result)
    return WebPage(
      title: "Team", section: .settings, main: view.html,
      scripts: result.link == nil ? [] : ["copy.js"]
    ).response(status: result.status, for: request)
  }

  private static func submit(_ request: PageRequest) async throws -> HTTPResponse {
    do {
      return try await perform(request.form["action"], request)
    } catch let error as RequestError {
      return try await page(request, Result(status: error.status, problem: error.message))
    } catch let error as StoreError where error.code == .refused {
      return try await page(request, Result(status: 422, problem: error.message))
    }
  }

  private static func perform(
    _ action: String?, _ request: PageRequest
  ) async throws -> HTTPResponse {
    let (actions, actor) = (request.actions, request.actor)
    let id = request.form["account"] ?? ""
    if let action, confirmed.contains(action) { try await request.confirm() }
    switch action {
    case "invite": return try await invite(request)
    case "role": return try await setRole(of: id, request)
    case "new-link":
      let (account, url) = try await actions.makeLink(for: id, by: actor)
      return try await page(request, Result(link: link(url, for: account)))
    case "end-sessions":
      let (account, count) = try await actions.endSessions(of: id, by: actor)
      return try await page(
        request, Result(notice: "\(account.displayName) was signed out of \(count) sessions."))
    case "no-second-factor":
      let account = try await actions.removeSecondFactor(of: id, by: actor)
      return try await page(
        request, Result(notice: "\(account.displayName) signs in with the password alone now."))
    case "no-passkeys":
      let account = try await actions.removePasskeys(of: id, by: actor)
      return try await page(
        request, Result(notice: "\(account.displayName) signs in without a passkey now."))
    case "remove":
      let account = try await actions.removeAccount(id, by: actor)
      return try await page(request, Result(notice: "\(account.displayName) was removed."))
    default: return try await page(request)
    }
  }

  private static func invite(_ request: PageRequest) async throws -> HTTPResponse {
    let form = InvitationForm(request.form)
    guard let role = try role(form.role) else { throw RequestError(.invalid, "choose a role") }
    let (account, url) = try await request.actions.invite(
      form.email, name: form.name, as: role, inAllApps: form.isForAllApps, by: request.actor)
    var done = request
    done.form = Form()
    guard let url else {
      return try await page(
        done,
        Result(
          notice: "\(account.displayName) has an account already, and has the role from now on."))
    }
    return try await page(done, Result(link: ("Invitation for \(account.email)", url)))
  }

  private static func setRole(of id: String, _ request: PageRequest) async throws -> HTTPResponse {
    let (account, url) = try await request.actions.setRole(
      try role(request.form["role"] ?? ""),
      inAllApps: request.form["scope"] == InvitationForm.allApps, of: id, by: request.actor)
    guard let url else { return .seeOther(path(request)) }
    let notice = """
      \(account.displayName) has the role, and must choose a new password with the link below. The link for the old one \
      came from somebody who cannot give this role.
      """
    return try await page(request, Result(notice: notice, link: link(url, for: account)))
  }

  private static func link(_ url: String, for account: Account) -> (title: String, url: String) {
    ("Link for \(account.email)", url)
  }

  /// The role that a form names; `nil` if it names no role.
  private static func role(_ text: String) throws(RequestError) -> Account.Role? {
    if text == InvitationForm.noRole { return nil }
    guard let role = Account.Role(rawValue: text) else {
      throw RequestError(.invalid, "choose a role")
    }
    return role
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

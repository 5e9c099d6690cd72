import Foundation
import Markup
import PushModel
import _HTTPServer

/// The page of the user's own account: the password, the second factor, and the sessions.
enum AccountPages {
  static let path = "/account"

  static let all: [Route] = [
    .page("GET", path) { call, router in
      guard let request = try await AccountRequest(call, router) else { return .seeOther("/") }
      let problem = router.openID.flatMap { ProviderProblem(call)?.text($0.provider) }
      return try await page(request, .init(problem: problem))
    },
    .page("POST", path, body: URLEncoded.mediaType, handler: submit),
  ]

  static func page(
    _ request: AccountRequest, _ result: AccountView.Result = .init()
  ) async throws -> HTTPResponse {
    let (store, account) = (request.router.store, request.account)
    let view = AccountView(
      request: request,
      sessions: try await store.sessions(of: account.id, at: request.now),
      recoveryCodes: try await store.recoveryCodeCount(of: account.id),
      passkeys: try await store.passkeys(of: account.id), result: result)
    return WebPage(title: "Your account", main: view.html).response(
      status: result.problem == nil ? 200 : result.status)
  }

  private static func submit(_ call: RequestContext, _ router: Router) async throws -> HTTPResponse
  {
    guard var request = try await AccountRequest(call, router) else { return .seeOther("/sign-in") }
    request.form = try Form(call.request)
    guard request.session.hasFormToken(request.form["token"]) else {
      return try await page(
        request, .init(problem: "This page has expired. Try again.", status: 403))
    }
    do {
      return try await perform(request.form["action"], request)
    } catch let error as RequestError {
      return try await page(
        request, .init(problem: error.message, field: error.path, status: error.status))
    }
  }

  private static func perform(
    _ action: String?, _ request: AccountRequest
  ) async throws -> HTTPResponse {
    let (actions, owner, form) = (request.router.actions, request.owner, request.form)
    let current = form.password("current")
    switch action {
    case "password":
      try await actions.changePassword(to: form.newPassword, confirmedBy: current, by: owner)
      return try await page(
        request, .init(notice: "The password was changed, and your other sessions were ended."))
    case "end-session":
      try await actions.endSession([UInt8](hex: form["session"] ?? "") ?? [], by: owner)
    case "end-others": try await actions.endOtherSessions(by: owner)
    case "connect":
      try await actions.checkPassword(current, by: owner)
      return try await ProviderSignIn.begin(
        .connection(session: request.person.session), for: request.call, request.router)
    case "disconnect": try await actions.disconnectProvider(confirmedBy: current, by: owner)
    case "offer-passkey": return try await PasskeyPages.offer(request)
    case "add-passkey": return try await PasskeyPages.add(request)
    case "remove-passkey":
      try await actions.removePasskey(
        [UInt8](hex: form["passkey"] ?? "") ?? [], confirmedBy: current, by: owner)
    case "set-up":
      let offer = try await actions.offerSecondFactor(confirmedBy: current, by: owner)
      return SecondFactorView(request: request, offer: offer).response()
    case "turn-on": return try await addSecondFactor(request)
    case "turn-off": try await actions.removeSecondFactor(confirmedBy: current, by: owner)
    default: return try await page(request)
    }
    return .seeOther(path)
  }

  private static func addSecondFactor(_ request: AccountRequest) async throws -> HTTPResponse {
    let offer = SecondFactorOffer(
      sealed: request.form["secret"] ?? "", with: request.router.secretKey, for: request.person,
      in: request.session)
    guard let offer else {
      throw RequestError(.invalid, "This page has expired. Set it up again.")
    }
    do {
      let codes = try await request.router.actions.addSecondFactor(
        offer, code: request.form["code"] ?? "", by: request.owner)
      return SecondFactorView.codes(codes, request).response()
    } catch let error as RequestError where error.path == "code" {
      return SecondFactorView(request: request, offer: offer, problem: error.message)
        .response(status: error.status)
    }
  }
}

/// A request for the page of the user's own account.
struct AccountRequest: Sendable {
  var call: RequestContext
  var router: Router
  var session: Session
  var person: Person
  var form = Form()

  var account: Account { person.account }
  var now: Timestamp { router.clock.now() }
  /// The user, as the one who asks for a change of the own account.
  var owner: AccountOwner { AccountOwner(person, from: call.visitor) }

  /// Reads a request; `nil` if its user has not signed in as a person.
  init?(_ call: RequestContext, _ router: Router) async throws {
    guard let session = try await call.session(router), let hash = session.accountHash,
      let account = try await router.store.account(session: hash, at: router.clock.now())
    else { return nil }
    (self.call, self.router, self.session) = (call, router, session)
    person = Person(account, session: hash)
  }

  /// Whether the dashboard would also open without the second factor.
  var mayTurnOffSecondFactor: Bool { router.site.mayRemoveSecondFactor(of: account) }
}

extension [UInt8] {
  /// Reads hex digits, two for each byte; `nil` if the text has anything else.
  init?(hex text: String) {
    let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}

extension Form {
  /// The two fields of ``PasswordFields``.
  var newPassword: NewPassword { NewPassword(text: password("password"), again: password("again")) }
}

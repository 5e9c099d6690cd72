import Foundation
import Markup
import PushCrypto
import PushStore
import _HTTPServer

/// The page of the user's own account: the password, the second factor, and the sessions.
enum AccountPages {
  static let path = "/account"

  static let all: [Route] = [
    Route("GET", path, access: .page) { call, api in
      guard let request = try await AccountRequest(call, api) else { return .seeOther("/") }
      let problem = api.openID.flatMap { ProviderSignIn.Problem(call)?.text($0.provider) }
      return try await page(request, .init(problem: problem))
    },
    Route(
      "POST", path, access: .page, body: "application/x-www-form-urlencoded", handler: submit),
  ]

  static func page(
    _ request: AccountRequest, _ result: AccountView.Result = .init()
  ) async throws -> HTTPResponse {
    let (store, account) = (request.api.store, request.account)
    let view = AccountView(
      request: request,
      sessions: try await store.sessions(of: account.id, at: request.now),
      recoveryCodes: try await store.recoveryCodeCount(of: account.id),
      passkeys: try await store.passkeys(of: account.id), result: result)
    return WebPage(title: "Your account", main: view.html).response(
      status: result.problem == nil ? 200 : result.status)
  }

  private static func submit(_ call: Call, _ api: API) async throws -> HTTPResponse {
    guard var request = try await AccountRequest(call, api) else { return .seeOther("/sign-in") }
    request.form = try Form(call.request)
    guard request.session.hasFormToken(request.form["token"]) else {
      return try await page(
        request, .init(problem: "This page has expired. Try again.", status: 403))
    }
    do {
      switch request.form["action"] {
      case "password": return try await changePassword(request)
      case "end-session":
        let hash = [UInt8](hex: request.form["session"] ?? "") ?? []
        _ = try await request.store("session.end").endSession(hash, of: request.account.id)
        return .seeOther(path)
      case "end-others":
        _ = try await request.store("session.end")
          .endSessions(of: request.account.id, except: request.person.session)
        return .seeOther(path)
      case "connect":
        try await request.checkPassword()
        return try await ProviderSignIn.begin(
          .connection(session: request.person.session), for: request.call, api)
      case "disconnect":
        try await request.checkPassword()
        _ = try await request.store("account.disconnect").disconnect(request.account.id)
        return .seeOther(path)
      case "offer-passkey": return try await PasskeyPages.offer(request)
      case "add-passkey": return try await PasskeyPages.add(request)
      case "remove-passkey": return try await PasskeyPages.remove(request)
      case "set-up":
        try await request.checkPassword()
        return SecondFactorView(request: request, secret: OneTimePassword.makeSecret()).response()
      case "turn-on": return try await turnOn(request)
      case "turn-off":
        try await request.checkPassword()
        guard request.mayTurnOffSecondFactor else {
          throw AccountRequest.Refusal(
            status: 403,
            message: "Admins need a second factor on this server. Set up another app in its place.",
            field: nil)
        }
        try await request.store("second_factor.remove")
          .setSecondFactor(nil, of: request.account.id)
        return .seeOther(path)
      default: return try await page(request)
      }
    } catch let refusal as AccountRequest.Refusal {
      return try await page(
        request, .init(problem: refusal.message, field: refusal.field, status: refusal.status))
    } catch let error as RequestError {
      return try await page(request, .init(problem: error.message, status: error.status))
    }
  }

  private static func changePassword(_ request: AccountRequest) async throws -> HTTPResponse {
    try await request.checkPassword()
    let new = request.form.all("password").first ?? ""
    let account = request.account
    if let problem = PasswordRules.problem(new, email: account.email, name: account.name) {
      throw AccountRequest.Refusal(message: problem, field: "password")
    }
    guard request.form.all("again").first == new else {
      throw AccountRequest.Refusal(message: "The two passwords differ.", field: "again")
    }
    let hash = try await request.api.passwordHash(new)
    guard
      try await request.store("account.password").changePassword(
        of: account.id, from: account.password ?? "", to: hash.text,
        keeping: request.person.session)
    else {
      throw AccountRequest.Refusal(
        status: 409, message: "The password was changed meanwhile. Sign in again.", field: nil)
    }
    return try await page(
      request, .init(notice: "The password was changed, and your other sessions were ended."))
  }

  private static func turnOn(_ request: AccountRequest) async throws -> HTTPResponse {
    guard
      let text = Base64URL.decode(request.form["secret"] ?? "").flatMap({
        request.api.secretKey.open($0, as: .secondFactor, for: request.setUpOwner)
      }), let password = OneTimePassword(sealedText: text)
    else {
      throw AccountRequest.Refusal(message: "This page has expired. Set it up again.", field: nil)
    }
    guard let step = password.step(of: request.form["code"] ?? "", at: request.now) else {
      return SecondFactorView(
        request: request, secret: password.secret,
        problem: "The code is wrong. Enter the one that the app shows now; the clocks must agree."
      ).response(status: 422)
    }
    let codes = RecoveryCode.makeAll()
    let secretKey = try await request.api.secretKey.inUse(in: request.api.store)
    try await request.store("second_factor.add").setSecondFactor(
      SecondFactor(
        sealedSecret: secretKey.seal(text, as: .secondFactor, for: request.account.id),
        lastStep: step, recoveryCodes: codes.map(RecoveryCode.hash)), of: request.account.id)
    _ = try await request.api.store
      .endSessions(of: request.account.id, except: request.person.session)
    return SecondFactorView.codes(codes, request).response()
  }
}

/// A request for the page of the user's own account.
struct AccountRequest: Sendable {
  /// The reason why a form was refused.
  struct Refusal: Error {
    var status = 422
    var message: String
    /// The id of the field that the message is about.
    var field: String?
  }

  var call: Call
  var api: API
  var session: Session
  var account: Account
  var person: Person
  var form = Form()

  var now: Timestamp { api.clock.now() }

  /// Reads a request; `nil` if its user has not signed in as a person.
  init?(_ call: Call, _ api: API) async throws {
    guard let session = api.session(of: call.request), let hash = session.accountHash,
      try await !api.store.hasEnded(session: session.id),
      let account = try await api.store.account(session: hash, at: api.clock.now())
    else { return nil }
    (self.api, self.session, self.account) = (api, session, account)
    person = Person(account, session: hash)
    self.call = call
    self.call.person = person
  }

  /// The store for one change, which writes an entry into the server's audit log.
  func store(_ action: String) -> any PushStore {
    api.actions.store(forServer: call.actor, action, account.id)
  }

  /// Whether the dashboard would also open without the second factor.
  var mayTurnOffSecondFactor: Bool {
    var without = account
    without.secondFactor = nil
    return !api.site.refuses(without)
  }

  /// The owner of the sealed secret of a second factor while it is set up: this session alone.
  var setUpOwner: String { "\(account.id)/\(session.formToken)" }

  /// Checks the password that a change of the ways to sign in needs.
  func checkPassword() async throws {
    try await api.checkPassword(
      form.all("current").first ?? "", of: account, in: person.session, for: call)
  }
}

extension API {
  /// Checks the password that a change of the ways to sign in needs.
  ///
  /// - Throws: ``AccountRequest/Refusal`` if it is wrong, or if there were too many attempts.
  func checkPassword(
    _ typed: String, of account: Account, in session: [UInt8], for call: Call
  ) async throws {
    // Attempts of others do not delay a person who is signed in.
    let browser = "session \(Identifiers.hex(session))"
    let address = call.request.remoteAddress
    if let wait = actions.waitBeforeSignIn(
      .password, account: account.email, browser: browser, from: address)
    {
      throw AccountRequest.Refusal(
        status: 429, message: "Too many attempts. Try again in \(wait) seconds.", field: nil)
    }
    guard try await passwordMatches(typed, account, isKnown: true, for: call) else {
      throw AccountRequest.Refusal(message: "The current password is wrong.", field: "current")
    }
    actions.signInSucceeded(
      .password, account: account.email, browser: browser, from: address)
  }
}

extension [UInt8] {
  /// Reads hex digits, two for each byte; `nil` if the text has anything else.
  init?(hex text: String) {
    let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}

import Markup
import PushCrypto
import PushPayload
import PushStore
import _HTTPServer

/// The route `/sign-in/passkey`, by which people sign in without a password.
enum PasskeySignIn {
  static let path = "/sign-in/passkey"

  static let all: [Route] = [
    Route(
      "POST", path, access: .page, body: "application/x-www-form-urlencoded", handler: signIn)
  ]

  /// The form that asks the browser for a passkey; `nil` if this server's address cannot have passkeys.
  static func form(
    for call: Call, _ api: API, in session: Session, fields: HTML
  ) -> HTML? {
    api.relyingParty(for: call).map { party in
      let challenge = PasskeyChallenge(at: api.clock.now())
      let options: JSONValue = [
        "challenge": .string(Base64URL.encode(challenge.bytes)), "rpId": .string(party.id),
        "userVerification": "required", "timeout": .integer(PasskeyForm.timeout),
      ]
      return """
        \(PasskeyForm.opening(action: path, options))
        \(fields)\(PasskeyForm.fields(challenge.sealed(with: api.secretKey, to: .signIn, for: session), signs: true))
        <button>Sign in with a passkey</button>
        </form>
        """
    }
  }

  private static func signIn(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let form = try Form(call.request)
    var prompt = SignIn.Prompt(next: form["next"], savedForm: form["kept"])
    func refused(_ status: Int, _ problem: String) -> HTTPResponse {
      prompt.problem = problem
      return SignIn.page(
        for: call, api, session: api.session(of: call.request), status: status, prompt: prompt)
    }
    guard let session = try await SignIn.session(of: form, call, api) else {
      return refused(403, "This page has expired. Try again.")
    }
    if let wait = api.actions.waitBeforeSignIn(
      .passkey, account: "", from: call.request.remoteAddress)
    {
      _ = try await api.actions.refused(.signIn, by: call.actor)
      return refused(429, "Too many attempts. Try again in \(wait) seconds.")
    }
    let person: Account
    do {
      person = try await account(provenBy: form, in: session, for: call, api)
    } catch let failure as PasskeyFailure {
      _ = try await api.actions.refused(.signIn, by: call.actor)
      api.log(LogLine("a passkey was not accepted: \(failure)"))
      return refused(401, "This passkey was not accepted. Try again, or sign in another way.")
    }
    // A signature opens only one session, even if its form comes twice at the same time.
    guard
      try await api.store.endSession(
        session.id, until: session.expiresAt, at: api.clock.now())
    else { return refused(403, "This page has expired. Try again.") }
    api.actions.signInSucceeded(.passkey, account: "", from: call.request.remoteAddress)
    let opened = try await AccountSignIn.open(
      person, isConfirmed: true, replacing: session, for: call, api)
    return try await SignIn.welcome(opened, after: prompt, for: call, api)
  }

  /// The account whose passkey has signed.
  ///
  /// - Throws: ``PasskeyFailure`` if no passkey of this server has signed.
  private static func account(
    provenBy form: Form, in session: Session, for call: Call, _ api: API
  ) async throws -> Account {
    let now = api.clock.now()
    guard let party = api.relyingParty(for: call),
      let challenge = PasskeyChallenge(
        sealed: form["challenge"] ?? "", with: api.secretKey, to: .signIn, for: session, at: now)
    else { throw PasskeyFailure("its page was opened too long ago") }
    guard let passkey = try await api.store.passkey(form.bytes("id")),
      let account = try await api.store.account(passkey.account)
    else { throw PasskeyFailure("it is unknown here, or was removed") }
    let user = form.bytes("user")
    guard user.isEmpty || user == Array(account.id.utf8) else {
      throw PasskeyFailure("it is of another person")
    }
    let count = try party.signed(
      clientData: form.bytes("client_data"), authenticatorData: form.bytes("authenticator_data"),
      signature: form.bytes("signature"), challenge: challenge.bytes, with: passkey)
    guard try await api.store.usePasskey(passkey.id, count: count, at: now) else {
      throw PasskeyFailure("its count is not above the last one, so that there may be a copy")
    }
    return account
  }
}

/// The parts of a form that `passkey.js` fills.
enum PasskeyForm {
  /// The milliseconds that the browser waits for the person.
  static let timeout: Int64 = 300_000

  /// The start of a form, with the options for the browser's request.
  static func opening(action: String, _ options: JSONValue) -> HTML {
    """
    <form method="post" action="\(action)" data-passkey="\(options.text)" hidden>
    """
  }

  static func fields(_ challenge: String, signs: Bool) -> HTML {
    let names = ["id", "client_data", "authenticator_data"] + (signs ? ["signature", "user"] : [])
    return """
      <input type="hidden" name="challenge" value="\(challenge)">
      \(names.map { "<input type=\"hidden\" name=\"\($0)\">\n" as HTML })<p class="alert" hidden></p>
      """
  }
}

extension API {
  /// This server as browsers know it for passkeys; `nil` if its address cannot have passkeys.
  func relyingParty(for call: Call) -> RelyingParty? {
    RelyingParty(site.origin(for: call.request))
  }
}

extension Form {
  /// The bytes of a field in base64url; empty if the field has another form.
  func bytes(_ name: String) -> [UInt8] { Base64URL.decode(self[name] ?? "") ?? [] }
}

extension JSONValue {
  fileprivate var text: String { String(decoding: serialized(), as: UTF8.self) }
}

import Markup
import PushCrypto
import PushModel
import PushPayload
import _HTTPServer

/// The route `/sign-in/passkey`, by which people sign in without a password.
enum PasskeySignIn {
  static let path = "/sign-in/passkey"

  static let all: [Route] = [
    .page("POST", path, body: URLEncoded.mediaType, handler: signIn)
  ]

  /// The form that asks the browser for a passkey; `nil` if this server's address cannot have passkeys.
  static func form(
    for call: RequestContext, _ router: Router, in session: Session, fields: HTML
  ) -> HTML? {
    RelyingParty(call, router).map { party in
      let challenge = PasskeyChallenge(at: router.clock.now())
      let options: JSONValue = [
        "challenge": .string(Base64URL.encode(challenge.bytes)), "rpId": .string(party.id),
        "userVerification": "required", "timeout": .integer(PasskeyForm.timeout),
      ]
      return """
        \(PasskeyForm.opening(action: path, options))
        \(fields)\(PasskeyForm.fields(challenge.sealed(with: router.secretKey, to: .signIn, for: session), signs: true))
        <button>Sign in with a passkey</button>
        </form>
        """
    }
  }

  private static func signIn(_ call: RequestContext, _ router: Router) async throws -> HTTPResponse
  {
    let form = try Form(call.request)
    let prompt = SignIn.Prompt(form)
    guard let session = try await SignIn.session(of: form, call, router) else {
      return try await SignIn.refused(
        status: 403, "This page has expired. Try again.", prompt: prompt, for: call, router)
    }
    do {
      let opened = try await router.actions.openSession(
        passkey: PasskeyAnswer(form), of: RelyingParty(call, router), replacing: session,
        in: call.browser(session, router), by: call.visitor)
      return try await SignIn.welcome(opened.session, after: prompt, for: call, router)
    } catch let error as RequestError where SignIn.isShown(error) {
      return try await SignIn.refused(error, prompt: prompt, for: call, router)
    }
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

extension RelyingParty {
  /// This server as the browser of a call knows it for passkeys; `nil` if its address cannot have passkeys.
  init?(_ call: RequestContext, _ router: Router) {
    self.init(router.site.origin(for: call.request))
  }
}

extension PasskeyAnswer {
  /// Reads the fields that `passkey.js` has filled; a field in another form than base64url is empty.
  init(_ form: Form) {
    func bytes(_ name: String) -> [UInt8] { Base64URL.decode(form[name] ?? "") ?? [] }
    self.init(
      id: bytes("id"), challenge: form["challenge"] ?? "", clientData: bytes("client_data"),
      authenticatorData: bytes("authenticator_data"), signature: bytes("signature"),
      user: bytes("user"))
  }
}

extension JSONValue {
  fileprivate var text: String { String(decoding: serialized(), as: UTF8.self) }
}

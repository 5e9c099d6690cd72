import Foundation
import PushPayload
import Testing

@testable import PushServer

@Suite("Signing in with an OpenID provider, without pages")
struct OpenIDClientTests {
  static let redirectURL = "https://push.example/sign-in/provider/callback"

  static func client(
    _ provider: ScriptedProvider, _ clock: ManualClock = ManualClock()
  ) -> OpenIDClient {
    OpenIDClient(provider.settings, http: provider, clock: clock.serverClock)
  }

  /// The whole way, with a person who agrees.
  static func signIn(
    _ client: OpenIDClient, _ provider: ScriptedProvider, issuer: String? = nil
  ) async throws -> OpenIDClient.Identity {
    let secrets = OpenIDClient.Secrets.make()
    _ = provider.authorize(try await client.authorizationURL(secrets, redirectURL: redirectURL))
    return try await client.identity(
      code: "the-code", issuer: issuer, secrets, redirectURL: redirectURL)
  }

  @Test("the browser is asked for a code with the scope, the state, the nonce and the challenge")
  func request() async throws {
    let provider = ScriptedProvider(ManualClock())
    let secrets = OpenIDClient.Secrets.make()
    let url = try await Self.client(provider).authorizationURL(
      secrets, redirectURL: Self.redirectURL)
    #expect(url.hasPrefix("https://id.example/authorize?"))
    #expect(
      provider.authorize(url) == [
        "response_type": "code", "client_id": "martlet", "redirect_uri": Self.redirectURL,
        "scope": "openid email profile", "state": secrets.state, "nonce": secrets.nonce,
        "code_challenge": OpenIDClient.challenge(secrets.verifier),
        "code_challenge_method": "S256",
      ])
    // RFC 7636, section 4.1: 43 to 128 characters.
    #expect(secrets.verifier.utf8.count == 43)
    #expect(OpenIDClient.Secrets.make() != secrets)
    provider.script.metadata["authorization_endpoint"] = "https://id.example/authorize?tenant=1"
    let other = try await Self.client(provider).authorizationURL(
      secrets, redirectURL: Self.redirectURL)
    #expect(other.hasPrefix("https://id.example/authorize?tenant=1&response_type=code"))
  }

  @Test("the challenge is the one of RFC 7636, appendix B")
  func challenge() {
    #expect(
      OpenIDClient.challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test(
    "the secret goes where the provider takes it",
    arguments: [
      (nil, "header"), (["client_secret_basic", "client_secret_post"], "header"),
      (["client_secret_post"], "body"), (["private_key_jwt"], "header"),
    ] as [(JSONValue?, String)])
  func authentication(_ methods: JSONValue?, place: String) async throws {
    let provider = ScriptedProvider(ManualClock())
    provider.script.metadata["token_endpoint_auth_methods_supported"] = methods
    _ = try await Self.signIn(Self.client(provider), provider)
    let request = try #require(provider.requests(to: "/token").first)
    let header = request.fields.first { $0.name == "Authorization" }?.value
    // RFC 6749, section 2.3.1: encoded as in a form, then joined.
    let basic = "Basic " + Data("martlet:s3cret%20%26%20more".utf8).base64EncodedString()
    #expect(header == (place == "header" ? basic : nil))
    #expect(request.form["client_secret"] == (place == "body" ? "s3cret & more" : nil))
    #expect(request.form["redirect_uri"] == Self.redirectURL)
    #expect(request.form["grant_type"] == "authorization_code")
  }

  @Test("a client without a secret names itself in the body")
  func publicClient() async throws {
    let provider = ScriptedProvider(ManualClock(), clientSecret: nil)
    _ = try await Self.signIn(Self.client(provider), provider)
    let request = try #require(provider.requests(to: "/token").first)
    #expect(request.form["client_id"] == "martlet" && request.form["client_secret"] == nil)
    #expect(!request.fields.contains { $0.name == "Authorization" })
  }

  @Test("the document and the keys are read once an hour")
  func kept() async throws {
    let clock = ManualClock()
    let provider = ScriptedProvider(clock)
    let client = Self.client(provider, clock)
    for _ in 1...3 { _ = try await Self.signIn(client, provider) }
    #expect(provider.requests(to: "/keys").count == 1)
    clock.advance(by: OpenIDClient.lifetime + .milliseconds(-1))
    _ = try await Self.signIn(client, provider)
    #expect(provider.requests(to: "/keys").count == 1)
    clock.advance(by: .milliseconds(1))
    _ = try await Self.signIn(client, provider)
    #expect(provider.requests(to: "/keys").count == 2)
  }

  @Test("a new key of the provider is found, and keys are not asked for more often than in 30 s")
  func rotated() async throws {
    let clock = ManualClock()
    let provider = ScriptedProvider(clock)
    let client = Self.client(provider, clock)
    _ = try await Self.signIn(client, provider)
    (provider.script.signer, provider.script.header["kid"]) = ("second", "second")
    provider.script.published = ["first", "second"]
    clock.advance(by: OpenIDClient.keyInterval + .milliseconds(-1))
    await #expect(throws: ProviderFailure.self) { _ = try await Self.signIn(client, provider) }
    clock.advance(by: .milliseconds(1))
    _ = try await Self.signIn(client, provider)
    #expect(provider.requests(to: "/keys").count == 2)
  }

  @Test(
    "a document with which nobody could sign in is refused",
    arguments: [
      (["issuer": "https://evil.example"], "evil.example"),
      (["issuer": "https://id.example/"], "https://id.example/"), (["issuer": nil], "none"),
      (["token_endpoint": nil], "token_endpoint"),
      (["token_endpoint": "http://id.example/token"], "token_endpoint"),
      (["authorization_endpoint": "javascript:alert(1)"], "authorization_endpoint"),
      (["jwks_uri": "https://user:secret@id.example/keys"], "jwks_uri"),
      (["userinfo_endpoint": 5], "userinfo_endpoint"),
      (["id_token_signing_alg_values_supported": ["HS256", "none"]], "HS256, none"),
    ] as [([String: JSONValue?], String)])
  func document(_ changes: [String: JSONValue?], word: String) async throws {
    let provider = ScriptedProvider(ManualClock())
    provider.script.metadata = changes
    let failure = await #expect(throws: ProviderFailure.self) {
      _ = try await Self.client(provider).authorizationURL(
        .make(), redirectURL: Self.redirectURL)
    }
    #expect(failure?.description.contains(word) == true, "\(failure?.description ?? "")")
  }

  @Test("an answer that is no token says why in the log's words")
  func refusedCode() async throws {
    let provider = ScriptedProvider(ManualClock())
    let client = Self.client(provider)
    for (status, body, text) in [
      (400, #"{"error":"invalid_client"}"#, "the token endpoint answered 400, invalid_client"),
      (500, "<html>", "the token endpoint answered 500"),
      (200, "{}", "the token endpoint gave no id_token"),
      (200, "[]", "the token endpoint answered 200"),
      (400, #"{"error":"a\nb SECRET"}"#, "the token endpoint answered 400, ab"),
    ] {
      provider.script.tokenError = (status, body)
      let failure = await #expect(throws: ProviderFailure.self) {
        _ = try await Self.signIn(client, provider)
      }
      #expect(failure?.description == text)
    }
  }

  @Test("a provider that names itself in its answers must be the one that was asked (RFC 9207)")
  func issuerOfAnswer() async throws {
    let provider = ScriptedProvider(ManualClock())
    var client = Self.client(provider)
    _ = try await Self.signIn(client, provider, issuer: ScriptedProvider.issuer)
    await #expect(throws: ProviderFailure.self) {
      _ = try await Self.signIn(client, provider, issuer: "https://evil.example")
    }
    provider.script.metadata["authorization_response_iss_parameter_supported"] = true
    client = Self.client(provider)
    await #expect(throws: ProviderFailure.self) { _ = try await Self.signIn(client, provider) }
    _ = try await Self.signIn(client, provider, issuer: ScriptedProvider.issuer)
  }

  @Test("what the ID token does not say is asked for, and must be about the same person")
  func userInfo() async throws {
    let provider = ScriptedProvider(ManualClock())
    let client = Self.client(provider)
    let whole = try await Self.signIn(client, provider)
    #expect(try await client.userInfo(of: whole).name == "Ada of Example")
    #expect(provider.requests(to: "/me").isEmpty)
    provider.script.claims = ["email": .none, "email_verified": .none] as [String: JSONValue?]
    provider.script.userInfo = [
      "sub": "person-1", "email": "ada@example.com", "email_verified": true, "name": "Another",
    ]
    let bare = try await Self.signIn(client, provider)
    let claims = try await client.userInfo(of: bare)
    #expect(claims.verifiedEmail?.text == "ada@example.com" && claims.name == "Ada of Example")
    let request = try #require(provider.requests(to: "/me").first)
    #expect(request.fields.contains { $0 == ("Authorization", "Bearer the-access-token") })
    provider.script.userInfo?["sub"] = "person-2"
    await #expect(throws: ProviderFailure.self) { _ = try await client.userInfo(of: bare) }
    provider.script.userInfo = nil
    await #expect(throws: ProviderFailure.self) { _ = try await client.userInfo(of: bare) }
    provider.script.metadata.updateValue(nil, forKey: "userinfo_endpoint")
    #expect(
      try await Self.client(provider).userInfo(of: bare).verifiedEmail == nil,
      "a provider without user info says what its token says")
  }

  @Test(
    "a provider is at https, or on this machine",
    arguments: [
      ("https://id.example", true), ("https://id.example/realms/a", true),
      ("http://127.0.0.1:9000", true), ("http://localhost:9000", true), ("http://[::1]:9000", true),
      ("http://id.example", false), ("https://", false), ("id.example", false),
      ("https://a:b@id.example", false), ("https://id.example#x", false),
      ("javascript:alert(1)", false), ("", false),
    ])
  func addresses(_ text: String, isAdmitted: Bool) {
    #expect(IdentityProvider.admits(text) == isAdmitted)
  }

  @Test("neither the description nor a dump of a provider has its secret")
  func secrets() {
    let provider = IdentityProvider(
      issuer: "https://id.example", clientID: "martlet", clientSecret: "s3cret")
    var dumped = ""
    dump(provider, to: &dumped)
    #expect(!"\(provider)".contains("s3cret") && !dumped.contains("s3cret"))
    #expect(provider.name == "id.example")
  }
}

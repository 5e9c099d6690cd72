import Foundation
import PushCrypto
import PushModel
import PushPayload
import Synchronization
import _Curl
import _OpenSSLCrypto

@testable import PushServer

/// An OpenID provider without a network, whose answers a test changes.
final class ScriptedProvider: HTTPClient {
  struct Script: Sendable {
    /// The members of the discovery document that differ; `nil` removes one.
    var metadata: [String: JSONValue?] = [:]
    /// The claims of the next ID token that differ.
    var claims: [String: JSONValue?] = [:]
    /// The header of the next ID token.
    var header: [String: JSONValue] = ["alg": "ES256", "kid": "first"]
    /// The key that signs, by its name in the key set.
    var signer = "first"
    /// The names of the keys in the key set.
    var published = ["first"]
    /// What the user info says; `nil` answers 403.
    var userInfo: [String: JSONValue]?
    /// The answer of the token endpoint, where it gives no token.
    var tokenError: (status: Int, body: String)?
    /// Whether nobody answers.
    var isDown = false
  }

  struct Request: Sendable {
    var url: String
    var fields: [(name: String, value: String)]
    var form: Form
  }

  static let issuer = "https://id.example"
  let settings: IdentityProvider
  private let keys = ["first": CurveKey.generate(.p256), "second": CurveKey.generate(.p256)]
  private let clock: ManualClock
  private let state = Mutex((script: Script(), requests: [Request](), nonce: "", challenge: ""))

  init(_ clock: ManualClock, clientSecret: String? = "s3cret & more") {
    self.clock = clock
    settings = IdentityProvider(
      issuer: Self.issuer, clientID: "martlet", clientSecret: clientSecret, name: "Example ID")
  }

  var script: Script {
    get { state.withLock(\.script) }
    set { state.withLock { $0.script = newValue } }
  }
  var requests: [Request] { state.withLock(\.requests) }
  func requests(to path: String) -> [Request] { requests.filter { $0.url.hasSuffix(path) } }

  /// Takes the browser's request, as the provider's own pages do.
  ///
  /// - Returns: The parameters of the request.
  func authorize(_ url: String) -> [String: String] {
    let query = url.split(separator: "?", maxSplits: 1).last.map(String.init) ?? ""
    let parameters = Dictionary(
      ((try? Form(urlEncoded: query))?.fields ?? []).map { ($0.name, $0.value) }
    ) { first, _ in first }
    state.withLock {
      ($0.nonce, $0.challenge) = (
        parameters["nonce"] ?? "", parameters["code_challenge"] ?? ""
      )
    }
    return parameters
  }

  func answer(to request: OutgoingRequest) async throws -> OutgoingRequest.Answer {
    let body = String(decoding: request.body ?? [], as: UTF8.self)
    let form = (try? Form(urlEncoded: body)) ?? Form()
    state.withLock {
      $0.requests.append(Request(url: request.url, fields: request.fields, form: form))
    }
    guard !script.isDown else { throw Down() }
    let (status, answer) = answer(at: request.url, form: form)
    return OutgoingRequest.Answer(status: status, body: answer)
  }

  private func answer(at url: String, form: Form) -> (status: Int, body: [UInt8]) {
    let script = script
    switch url.dropFirst(Self.issuer.count) {
    case "/.well-known/openid-configuration": return (200, Self.json(metadata))
    case "/keys": return (200, Self.json(["keys": .array(script.published.compactMap(jwk))]))
    case "/token":
      if let error = script.tokenError { return (error.status, Array(error.body.utf8)) }
      guard form["code"] == "the-code",
        OpenIDClient.challenge(form["code_verifier"] ?? "") == state.withLock(\.challenge)
      else { return (400, Array(#"{"error":"invalid_grant"}"#.utf8)) }
      return (
        200,
        Self.json([
          "access_token": "the-access-token", "token_type": "Bearer", "id_token": .string(idToken),
        ])
      )
    case "/me": return script.userInfo.map { (200, Self.json($0)) } ?? (403, [])
    default: return (404, [])
    }
  }

  struct Down: Error {}

  private static func json(_ members: [String: JSONValue]) -> [UInt8] {
    Array(JSONValue.object(members).serialized())
  }

  private static func merged(
    _ members: [String: JSONValue], _ changes: [String: JSONValue?]
  ) -> [String: JSONValue] {
    var all = members
    for (name, value) in changes { all[name] = value }
    return all
  }

  private var metadata: [String: JSONValue] {
    Self.merged(
      [
        "issuer": .string(Self.issuer),
        "authorization_endpoint": .string(Self.issuer + "/authorize"),
        "token_endpoint": .string(Self.issuer + "/token"),
        "jwks_uri": .string(Self.issuer + "/keys"),
        "userinfo_endpoint": .string(Self.issuer + "/me"),
        "id_token_signing_alg_values_supported": ["RS256", "ES256"],
      ], script.metadata)
  }

  private func jwk(_ name: String) -> JSONValue? {
    guard let point = keys[name]?.publicBytes else { return nil }
    return [
      "kty": "EC", "crv": "P-256", "use": "sig", "kid": .string(name),
      "x": .string(Base64URL.encode(Array(point.prefix(32)))),
      "y": .string(Base64URL.encode(Array(point.suffix(32)))),
    ]
  }

  /// An ID token for the last request.
  private var idToken: String {
    let seconds = clock.now.milliseconds / 1000
    let claims = Self.merged(
      [
        "iss": .string(Self.issuer), "aud": "martlet", "sub": "person-1",
        "exp": .integer(seconds + 300), "iat": .integer(seconds),
        "nonce": .string(state.withLock(\.nonce)), "email": "ada@example.com",
        "email_verified": true, "name": "Ada of Example",
      ], script.claims)
    let signed =
      Base64URL.encode(Self.json(script.header)) + "." + Base64URL.encode(Self.json(claims))
    let digest = OpenSSLCrypto.sha256(Array(signed.utf8))
    return signed + "." + Base64URL.encode(keys[script.signer]?.signature(digest: digest) ?? [])
  }
}

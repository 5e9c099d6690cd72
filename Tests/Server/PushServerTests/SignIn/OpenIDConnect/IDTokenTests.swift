import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("ID tokens")
struct IDTokenTests {
  /// A change of a good token, and a word of what is then said of it.
  struct Bad: Sendable, CustomTestStringConvertible {
    var name: String
    var word: String
    var change: @Sendable (inout ScriptedProvider.Script) -> Void
    var testDescription: String { name }

    init(
      _ name: String, _ word: String,
      _ change: @escaping @Sendable (inout ScriptedProvider.Script) -> Void
    ) {
      (self.name, self.word, self.change) = (name, word, change)
    }
  }

  /// The seconds since 1970 at which the fixture's clock stands.
  private static let now = ManualClock().now.milliseconds / 1000

  /// OpenID Connect Core 1.0, section 3.1.3.7, and RFC 8725, section 3.
  static let bad: [Bad] = [
    Bad("another issuer", "issuer") { $0.claims["iss"] = "https://id.example.org" },
    Bad("an issuer with a slash", "issuer") { $0.claims["iss"] = "https://id.example/" },
    Bad("no issuer", "issuer") { $0.claims.updateValue(nil, forKey: "iss") },
    Bad("another client", "aud") { $0.claims["aud"] = "other" },
    Bad("other clients", "aud") { $0.claims["aud"] = ["other", "another"] },
    Bad("no client", "aud") { $0.claims.updateValue(nil, forKey: "aud") },
    Bad("several clients and nobody named", "azp") { $0.claims["aud"] = ["martlet", "other"] },
    Bad("made for another client", "azp") { $0.claims["azp"] = "other" },
    Bad("expired", "expired") { $0.claims["exp"] = .integer(now - 60) },
    Bad("no end", "exp") { $0.claims.updateValue(nil, forKey: "exp") },
    Bad("an end as a text", "exp") { $0.claims["exp"] = .string("\(now + 300)") },
    Bad("from the future", "future") { $0.claims["iat"] = .integer(now + 61) },
    Bad("no start", "iat") { $0.claims.updateValue(nil, forKey: "iat") },
    Bad("not valid yet", "nbf") { $0.claims["nbf"] = .integer(now + 61) },
    Bad("another nonce", "nonce") { $0.claims["nonce"] = "another" },
    Bad("no nonce", "nonce") { $0.claims.updateValue(nil, forKey: "nonce") },
    Bad("no person", "sub") { $0.claims.updateValue(nil, forKey: "sub") },
    Bad("an empty person", "sub") { $0.claims["sub"] = "" },
    Bad("a person of 256 characters", "sub") {
      $0.claims["sub"] = .string(String(repeating: "p", count: 256))
    },
    Bad("another key", "signed") { $0.signer = "second" },
    Bad("another key, which the header names", "signed") {
      ($0.signer, $0.header["kid"]) = ("second", "second")
    },
    Bad("no signature", "RS256 or ES256") { $0.header["alg"] = "none" },
    Bad("the public key as a secret", "RS256 or ES256") { $0.header["alg"] = "HS256" },
    Bad("the algorithm of another kind of key", "signed") { $0.header["alg"] = "RS256" },
    Bad("no algorithm", "RS256 or ES256") { $0.header["alg"] = nil },
    Bad("an unknown extension", "crit") { $0.header["crit"] = ["b64"] },
    Bad("a token of another kind", "typ") { $0.header["typ"] = "logout+jwt" },
  ]

  @Test("a token that does not say who signs in here now is refused", arguments: bad)
  func refused(_ row: Bad) async throws {
    let provider = ScriptedProvider(ManualClock())
    let client = OpenIDClientTests.client(provider)
    row.change(&provider.script)
    let failure = await #expect(throws: ProviderFailure.self) {
      _ = try await OpenIDClientTests.signIn(client, provider)
    }
    let text = failure?.description ?? ""
    #expect(text.contains(row.word), "\(text)")
    #expect(!text.contains("person-1") && !text.contains("eyJ"), "\(text)")
  }

  static let good: [Bad] = [
    Bad("as it is", "") { _ in },
    Bad("several clients, and this one named", "") {
      ($0.claims["aud"], $0.claims["azp"]) = (["other", "martlet"], "martlet")
    },
    Bad("clients as a list of one", "") { $0.claims["aud"] = ["martlet"] },
    Bad("a key without a name", "") { $0.header["kid"] = nil },
    Bad("a type", "") { $0.header["typ"] = "JWT" },
    Bad("just expired", "") { $0.claims["exp"] = .integer(now - 59) },
    Bad("a clock that is a minute ahead", "") { $0.claims["iat"] = .integer(now + 59) },
    Bad("a person of 255 characters", "") {
      $0.claims["sub"] = .string(String(repeating: "p", count: 255))
    },
    Bad("many groups", "") {
      $0.claims["groups"] = .array((0..<1000).map { .string("group-\($0)") })
    },
  ]

  @Test("a token that says who signs in here now is taken", arguments: good)
  func taken(_ row: Bad) async throws {
    let provider = ScriptedProvider(ManualClock())
    row.change(&provider.script)
    let identity = try await OpenIDClientTests.signIn(
      OpenIDClientTests.client(provider), provider)
    #expect(identity.claims.verifiedEmail?.text == "ada@example.com")
    #expect(identity.claims.name == "Ada of Example")
  }

  @Test(
    "an address counts where the provider says that it was verified",
    arguments: [
      (true, true), ("true", true), (false, false), ("false", false), (1, false), (nil, false),
    ] as [(JSONValue?, Bool)])
  func verified(_ value: JSONValue?, isTaken: Bool) {
    var members: [String: JSONValue] = ["email": "Ada@Example.com"]
    members["email_verified"] = value
    #expect((PersonClaims(members).verifiedEmail?.text == "ada@example.com") == isTaken)
  }
}

import APNs
import Foundation
import PushCrypto
import PushPayload
import Testing
import _OpenSSLCrypto

@testable import APNs
@testable import APNsSandbox

@Suite("Provider tokens")
struct ProviderTokenTests {
  let pem = OpenSSLCrypto.makeP256KeyPEM()
  let crypto = OpenSSLCrypto()
  let now: Int64 = 1_700_000_000

  private func token(_ issuedAt: Int64) throws -> ProviderToken {
    try make(crypto.privateKey(pem: pem), issuedAt)
  }

  private func make(_ key: some ES256PrivateKey, _ issuedAt: Int64) throws -> ProviderToken {
    try ProviderToken(teamID: "TEAM123456", keyID: "KEY1234567", issuedAt: issuedAt, signedBy: key)
  }

  @Test("a token has Apple's header and claims, and its signature is verified by the public key")
  func shape() throws {
    let parts = try token(now).compact.split(separator: ".")
    try #require(parts.count == 3)
    let header = try JSONValue(parsing: Data(#require(Base64URL.decode(parts[0]))))
    let claims = try JSONValue(parsing: Data(#require(Base64URL.decode(parts[1]))))
    #expect(header == ["alg": "ES256", "kid": "KEY1234567"])
    #expect(claims == ["iss": "TEAM123456", "iat": .integer(now)])
    let signature = try #require(Base64URL.decode(parts[2]))
    let message = Array("\(parts[0]).\(parts[1])".utf8)
    let publicKey = try crypto.publicKey(pem: OpenSSLCrypto.publicKeyPEM(ofPrivateKeyPEM: pem))
    #expect(signature.count == 64)
    #expect(publicKey.isValid(signature: signature, for: message))
    #expect(!publicKey.isValid(signature: signature, for: message + [0]))
    #expect(!publicKey.isValid(signature: Array(signature.reversed()), for: message))
    #expect(!publicKey.isValid(signature: [], for: message))
    let other = try crypto.privateKey(pem: OpenSSLCrypto.makeP256KeyPEM()).publicKey
    #expect(!other.isValid(signature: signature, for: message))
  }

  @Test("an id with quotes cannot add a claim")
  func injection() throws {
    let key = try crypto.privateKey(pem: pem)
    func make(_ key: some ES256PrivateKey) throws -> ProviderToken {
      try ProviderToken(teamID: #"T","iat":1,"x":""#, keyID: "K", issuedAt: now, signedBy: key)
    }
    let parts = try make(key).compact.split(separator: ".")
    let claims = try JSONValue(parsing: Data(#require(Base64URL.decode(parts[1]))))
    #expect(claims.object?.count == 2)
    #expect(claims["iat"]?.integer == now)
  }

  private func source() throws -> ProviderTokenSource {
    try ProviderTokenSource(
      ProviderTokenCredentials(
        teamID: "TEAM123456", keyID: "KEY1234567", privateKeyPEM: pem), now: now)
  }

  @Test("a connection uses its token for 50 minutes and then a new one")
  func refresh() throws {
    var source = try source()
    let first = source.token(after: nil, now: now)
    #expect(first.authorization.hasPrefix("bearer "))
    #expect(source.token(after: first, now: now + 50 * 60 - 1) == first)
    let second = source.token(after: first, now: now + 50 * 60)
    #expect(second != first)
    #expect(source.token(after: second, now: now + 100 * 60 - 1) == second)
  }

  @Test("a new connection shares a token that it can use for 20 minutes, or gets a new one")
  func late() throws {
    var source = try source()
    let first = source.token(after: nil, now: now)
    #expect(source.token(after: nil, now: now + 30 * 60 - 1) == first)
    let second = source.token(after: nil, now: now + 30 * 60)
    #expect(second != first)
    #expect(source.token(after: first, now: now + 50 * 60 - 1) == first, "it may not change yet")
    #expect(
      source.token(after: first, now: now + 50 * 60) == second, "then it uses the current one")
    #expect(source.token(after: nil, now: now + 59 * 60) == second)
    #expect(
      source.token(after: first, now: now + 60 * 60) != second,
      "the current one is too old to start with")
  }

  @Test(
    "a clock set back by up to five minutes does not replace the token",
    arguments: [(0, true), (1, true), (300, true), (301, false), (86_400, false)])
  func setBack(seconds: Int64, isSame: Bool) throws {
    var source = try source()
    let first = source.token(after: nil, now: now)
    let later = source.token(after: first, now: now - seconds)
    #expect((later == first) == isSame)
    #expect(later.issuedAt == (isSame ? now : now - seconds))
    #expect(source.token(after: nil, now: now - seconds) == later)
  }

  @Test("a token that APNs finds expired is replaced after 20 minutes, once for all connections")
  func replacement() throws {
    var source = try source()
    let first = source.token(after: nil, now: now)
    for (second, isReplaced) in [(0, false), (1199, false), (1200, true), (1201, true)] {
      let answer = source.replace(first, now: now + Int64(second))
      #expect(answer == isReplaced)
    }
    #expect(source.token(after: nil, now: now + 1201).issuedAt == now + 1200)
  }

  @Test(
    "the error for an invalid key does not contain the key",
    arguments: ["", "no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
  func badKey(text: String) throws {
    let credentials = ProviderTokenCredentials(
      teamID: "TEAM123456", keyID: "KEY1234567", privateKeyPEM: text)
    let error = #expect(throws: APNsError.self) {
      try APNsClient(configuration: .init(credentials: .token(credentials)))
    }
    #expect(error?.code == .badCredentials)
    #expect(error?.message.contains(".p8") == true)
  }

  @Test("credentials never print their key")
  func redaction() {
    let credentials = ProviderTokenCredentials(
      teamID: "TEAM123456", keyID: "KEY1234567", privateKeyPEM: pem)
    var dumped = ""
    dump(APNsClient.Configuration(credentials: .token(credentials)), to: &dumped)
    for text in ["\(credentials)", String(reflecting: credentials), dumped] {
      #expect(!text.contains("PRIVATE"))
      #expect(text.contains("KEY1234567"))
    }
  }

  @Test("an APNs endpoint is an https URL and nothing more")
  func endpoints() throws {
    #expect(try APNsEndpoint.custom(url: "https://localhost:2197").port == 2197)
    #expect(try APNsEndpoint.custom(url: "https://localhost/").port == 443)
    #expect(try APNsEndpoint.custom(url: "https://[::1]:1").host == "::1")
    for url in ["", "localhost", "http://localhost", "https://", "https://h/x", "https://h:99999"] {
      #expect(throws: APNsError.self) { try APNsEndpoint.custom(url: url) }
    }
  }
}

@Suite("Provider tokens, as the sandbox checks them")
struct ProviderTokenRulesTests {
  let pem = OpenSSLCrypto.makeP256KeyPEM()
  let now: Int64 = 1_700_000_000

  /// A variation of a provider token.
  struct Quirk: Sendable, CustomTestStringConvertible {
    var name: String
    var header = #"{"alg":"ES256","kid":"KEY1234567"}"#
    var claims = #"{"iss":"TEAM123456","iat":1700000000}"#
    var scheme = "bearer"
    var isPadded = false
    var isDER = false
    var testDescription: String { name }
  }

  static let quirks = [
    Quirk(name: "a capital scheme", scheme: "Bearer"),
    Quirk(name: "padded standard base 64", isPadded: true),
    Quirk(name: "an ASN.1 signature", isDER: true),
    Quirk(name: "a time as text", claims: #"{"iss":"TEAM123456","iat":"1700000000"}"#),
    Quirk(name: "a time in milliseconds", claims: #"{"iss":"TEAM123456","iat":1700000000000}"#),
    Quirk(name: "no alg", header: #"{"kid":"KEY1234567"}"#),
  ]

  @Test(
    "a token that Apple accepts against RFC 7519 is accepted, and refused when strict",
    arguments: quirks)
  func leniency(_ quirk: Quirk) throws {
    let authorization = try authorization(quirk)
    #expect(try reason(authorization, isStrict: false) == nil)
    #expect(try reason(authorization, isStrict: true) != nil)
  }

  @Test("a token that conforms to RFC 7519 is accepted either way", arguments: [false, true])
  func strictlyGood(isStrict: Bool) throws {
    #expect(try reason(authorization(Quirk(name: "")), isStrict: isStrict) == nil)
    let fraction = Quirk(
      name: "a time with a fraction", claims: #"{"iss":"TEAM123456","iat":1700000000.25}"#)
    #expect(try reason(authorization(fraction), isStrict: isStrict) == nil)
  }

  @Test(
    "an invalid token is InvalidProviderToken",
    arguments: [
      Quirk(name: "another key", header: #"{"alg":"ES256","kid":"OTHER"}"#),
      Quirk(name: "another team", claims: #"{"iss":"OTHER","iat":1700000000}"#),
      Quirk(name: "no team", claims: #"{"iat":1700000000}"#),
      Quirk(name: "no time", claims: #"{"iss":"TEAM123456"}"#),
      Quirk(name: "another algorithm", header: #"{"alg":"none","kid":"KEY1234567"}"#),
      Quirk(name: "a header that is no object", header: "[]"),
      Quirk(name: "a time of 601 s ahead", claims: #"{"iss":"TEAM123456","iat":1700000601}"#),
      Quirk(name: "a huge time", claims: #"{"iss":"TEAM123456","iat":9223372036854775807}"#),
    ])
  func invalid(_ quirk: Quirk) throws {
    #expect(try reason(authorization(quirk), isStrict: false) == "InvalidProviderToken")
  }

  @Test("a signature by another key is invalid, and not verified without keys")
  func signature() throws {
    let other = OpenSSLCrypto.makeP256KeyPEM()
    let authorization = try authorization(Quirk(name: ""), signedBy: other)
    #expect(try reason(authorization, isStrict: false) == "InvalidProviderToken")
    var history = ProviderTokenHistory()
    try ProviderTokenRules(keys: [], isStrict: true).check(
      authorization, bundleID: "com.example.app", &history, now: now)
  }

  @Test("a token is valid for an hour", arguments: [(3600, nil), (3601, "ExpiredProviderToken")])
  func age(seconds: Int64, expected: String?) throws {
    let authorization = try authorization(Quirk(name: ""))
    #expect(try reason(authorization, isStrict: false, at: now + seconds) == expected)
  }

  @Test(
    "a sender's clock may be ten minutes ahead",
    arguments: [(600, nil), (601, "InvalidProviderToken")])
  func skew(seconds: Int64, expected: String?) throws {
    let authorization = try authorization(Quirk(name: ""))
    #expect(try reason(authorization, isStrict: false, at: now - seconds) == expected)
  }

  @Test(
    "a token is limited to 4096 bytes", arguments: [(4096, nil), (4097, "InvalidProviderToken")])
  func longest(count: Int, expected: String?) throws {
    // Base64 does not produce every length, so the sizes of both parts vary.
    for more in 0..<3 {
      for padding in 2900..<3000 {
        let authorization = try authorization(
          Quirk(
            name: "",
            header: #"{"alg":"ES256","kid":"KEY1234567","x":"\#(Self.text(more))"}"#,
            claims: #"{"iss":"TEAM123456","iat":1700000000,"x":"\#(Self.text(padding))"}"#))
        guard authorization.utf8.count == "bearer ".utf8.count + count else { continue }
        #expect(try reason(authorization, isStrict: false) == expected)
        return
      }
    }
    Issue.record("no token has \(count) bytes")
  }

  private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

  @Test("a token changed within 20 minutes is TooManyProviderTokenUpdates")
  func changes() throws {
    let rules = try rules(isStrict: false)
    var history = ProviderTokenHistory()
    let first = try authorization(Quirk(name: ""))
    let second = try authorization(
      Quirk(name: "", claims: #"{"iss":"TEAM123456","iat":1700000001}"#))
    try rules.check(first, bundleID: "com.example.app", &history, now: now)
    try rules.check(first, bundleID: "com.example.app", &history, now: now + 1)
    let refusal = #expect(throws: SandboxRules.Refusal.self) {
      try rules.check(second, bundleID: "com.example.app", &history, now: now + 1199)
    }
    #expect(refusal == SandboxRules.Refusal(429, "TooManyProviderTokenUpdates"))
    try rules.check(second, bundleID: "com.example.app", &history, now: now + 1200)
  }

  private func rules(isStrict: Bool) throws -> ProviderTokenRules {
    try ProviderTokenRules(
      keys: [
        .init(
          teamID: "TEAM123456", keyID: "KEY1234567",
          pem: OpenSSLCrypto.publicKeyPEM(ofPrivateKeyPEM: pem))
      ], isStrict: isStrict)
  }

  private func reason(_ text: String, isStrict: Bool, at time: Int64? = nil) throws -> String? {
    var history = ProviderTokenHistory()
    let rules = try rules(isStrict: isStrict)
    do {
      try rules.check(text, bundleID: "com.example.app", &history, now: time ?? now)
      return nil
    } catch { return error.reason }
  }

  private func authorization(_ quirk: Quirk, signedBy signer: String? = nil) throws -> String {
    func encode(_ bytes: [UInt8]) -> String {
      quirk.isPadded ? Data(bytes).base64EncodedString() : Base64URL.encode(bytes)
    }
    let signed = encode(Array(quirk.header.utf8)) + "." + encode(Array(quirk.claims.utf8))
    let key = try OpenSSLCrypto().privateKey(pem: signer ?? pem)
    var signature = try key.signature(for: Array(signed.utf8))
    if quirk.isDER { signature = der(signature) }
    return "\(quirk.scheme) \(signed).\(encode(signature))"
  }

  /// Encodes a raw signature in ASN.1 DER: two integers, with a leading zero if the high bit is set.
  private func der(_ raw: [UInt8]) -> [UInt8] {
    let integers = [raw[..<32], raw[32...]].flatMap { half in
      var bytes = Array(half.drop { $0 == 0 })
      if bytes.first.map({ $0 >= 0x80 }) ?? true { bytes.insert(0, at: 0) }
      return [0x02, UInt8(bytes.count)] + bytes
    }
    return [0x30, UInt8(integers.count)] + integers
  }
}

import Foundation
import PushCrypto
import PushPayload
import Testing
import _OpenSSLCrypto

@testable import UserTokens

@Suite("User tokens")
struct UserTokenTests {
  typealias Make = @Sendable (TokenFactory) throws -> String

  struct Good: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var make: Make

    init(_ name: String, _ make: @escaping Make) {
      testDescription = name
      self.make = make
    }

    /// A token with some claims changed.
    init(_ name: String, _ changes: [String: JSONValue?]) {
      self.init(name) { try $0.token(claims: TokenFactory.claims(changes)) }
    }
  }

  static let now = TokenFactory.now

  static let good: [Good] = [
    Good("plain", [:]),
    Good("without an address", ["email": nil]),
    Good("at the end of a day", ["exp": .integer(now + 86_400 + 60)]),
    Good("just not expired, by a clock that is behind", ["exp": .integer(now - 59)]),
    Good("valid from now on, by a clock that is ahead", ["nbf": .integer(now + 60)]),
    Good("with a fraction of a second", ["exp": .number(Double(now) + 3600.5)]),
    Good("a user id of 255 characters", ["sub": .string(String(repeating: "é", count: 255))]),
    Good("with claims of its own", ["roles": ["a", ["b": 1]], "iss": "server", "jti": .null]),
    Good("with a header of its own") {
      try $0.token(header: #"{"kid":"1","alg":"ES256","jku":"https://evil.example/"}"#)
    },
    Good("typ in lower case") { try $0.token(header: #"{"alg":"ES256","typ":"jwt"}"#) },
    // Both are valid (RFC 7518 names no lower one), and nothing is remembered by its signature.
    Good("a signature with the other S") { try $0.token(signature: withOtherS) },
    Good("nested as deep as can be") {
      try $0.token(
        claims: #"{"sub":"ada","aud":"com.example.weather","exp":1700003600,"x":[[[[[[[]]]]]]]}"#)
    },
    Good("claims with white space") {
      try $0.token(
        claims: #" { "aud" : "com.example.weather" , "sub":"ada","exp":1.7000036e9 } "#)
    },
  ]

  @Test("a good token names its user", arguments: good)
  func accepted(_ row: Good) throws {
    let factory = try TokenFactory()
    let token = try factory.read(try row.make(factory))
    #expect(token.userID == "ada" || token.userID == String(repeating: "é", count: 255))
    #expect(token.email == "ada@example.com" || token.email == nil)
  }

  struct Bad: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var code: UserTokenError.Code
    var make: Make

    init(_ name: String, _ code: UserTokenError.Code, _ make: @escaping Make) {
      testDescription = name
      self.code = code
      self.make = make
    }

    init(_ name: String, _ code: UserTokenError.Code, claims changes: [String: JSONValue?]) {
      self.init(name, code) { try $0.token(claims: TokenFactory.claims(changes)) }
    }

    init(_ name: String, _ code: UserTokenError.Code, json: String) {
      self.init(name, code) { try $0.token(claims: json) }
    }

    init(_ name: String, _ code: UserTokenError.Code, header: String) {
      self.init(name, code) { try $0.token(header: header) }
    }

    init(_ name: String, _ edit: @escaping @Sendable ([UInt8]) -> [UInt8]) {
      self.init(name, .signature) { try $0.token(signature: edit) }
    }
  }

  static let badHeaders: [Bad] = [
    Bad("alg none, and no signature", .algorithm) { _ in
      TokenFactory.encode(#"{"alg":"none"}"#) + "." + TokenFactory.encode(TokenFactory.claims([:]))
        + "."
    },
    Bad("alg none, signed", .algorithm, header: #"{"alg":"none"}"#),
    Bad("alg in lower case", .algorithm, header: #"{"alg":"es256"}"#),
    Bad("alg ES384", .algorithm, header: #"{"alg":"ES384"}"#),
    Bad("alg RS256", .algorithm, header: #"{"alg":"RS256"}"#),
    Bad("alg in a list", .algorithm, header: #"{"alg":["ES256"]}"#),
    Bad("no alg", .algorithm, header: #"{"typ":"JWT"}"#),
    Bad("HS256 with the public key as the secret", .algorithm) { factory in
      let signed =
        TokenFactory.encode(#"{"alg":"HS256","typ":"JWT"}"#) + "."
        + TokenFactory.encode(TokenFactory.claims([:]))
      let code = OpenSSLCrypto.hmacSHA256(
        key: Array(try factory.publicPEM.utf8), message: Array(signed.utf8))
      return signed + "." + Base64URL.encode(code)
    },
    Bad("two algs", .malformed, header: #"{"alg":"ES256","alg":"none"}"#),
    Bad("two algs, one of them escaped", .malformed, header: #"{"alg":"ES256","\u0061lg":"none"}"#),
    Bad("crit", .malformed, header: #"{"alg":"ES256","crit":["exp"]}"#),
    Bad("another typ", .malformed, header: #"{"alg":"ES256","typ":"at+jwt"}"#),
    Bad("typ of another type", .malformed, header: #"{"alg":"ES256","typ":1}"#),
    Bad("a header that is no object", .malformed, header: #"["ES256"]"#),
    Bad("a header that is not JSON", .malformed, header: #"{"alg":"ES256",}"#),
    Bad("no header", .malformed, header: ""),
  ]

  static let badClaims: [Bad] = [
    Bad("another app", .audience, claims: ["aud": "com.example.other"]),
    Bad("a prefix of the app", .audience, claims: ["aud": "com.example"]),
    Bad("several apps", .audience, claims: ["aud": ["com.example.weather"]]),
    Bad("no app", .audience, claims: ["aud": nil]),
    Bad("expired", .expiry, claims: ["exp": .integer(now - 60)]),
    Bad("expired long ago", .expiry, claims: ["exp": .integer(Int64.min)]),
    Bad("too far ahead", .expiry, claims: ["exp": .integer(now + 86_400 + 61)]),
    Bad("much too far ahead", .expiry, claims: ["exp": .integer(Int64.max)]),
    Bad(
      "farther than an integer", .expiry,
      json: #"{"aud":"com.example.weather","sub":"a","exp":1e300}"#),
    Bad("milliseconds", .expiry, claims: ["exp": .integer((now + 3600) * 1000)]),
    Bad("no exp", .expiry, claims: ["exp": nil]),
    Bad("exp as a text", .expiry, claims: ["exp": .string(String(now + 3600))]),
    Bad("exp true", .expiry, claims: ["exp": true]),
    Bad("not valid yet", .expiry, claims: ["nbf": .integer(now + 61)]),
    Bad("nbf as a text", .expiry, claims: ["nbf": "0"]),
    Bad("no user", .subject, claims: ["sub": nil]),
    Bad("an empty user", .subject, claims: ["sub": ""]),
    Bad("a number as user", .subject, claims: ["sub": 5]),
    Bad(
      "a user id of 256 characters", .subject,
      claims: ["sub": .string(String(repeating: "u", count: 256))]),
    Bad("an empty address", .subject, claims: ["email": ""]),
    Bad("an address that is no text", .subject, claims: ["email": .null]),
    Bad(
      "two users", .malformed,
      json: #"{"sub":"ada","sub":"bob","aud":"com.example.weather","exp":1700003600}"#),
    Bad(
      "two users in two spellings", .malformed,
      json: #"{"sub":"ada","s\u0075b":"bob","aud":"com.example.weather","exp":1700003600}"#),
    Bad(
      "a name twice further down", .malformed,
      json: #"{"sub":"ada","aud":"com.example.weather","exp":1700003600,"x":[{"a":1,"a":2}]}"#),
    Bad(
      "nested too deep", .malformed,
      json: #"{"sub":"ada","aud":"com.example.weather","exp":1700003600,"x":[[[[[[[[]]]]]]]]}"#),
    Bad("text after the claims", .malformed, json: TokenFactory.claims([:]) + "{}"),
    Bad("claims that are no object", .malformed, json: #""ada""#),
    Bad("no claims", .malformed, json: ""),
  ]

  static let badSignatures: [Bad] = [
    Bad("a signature in DER", inDER), Bad("a signature of 63 bytes") { Array($0.dropLast()) },
    Bad("a signature of 65 bytes") { $0 + [0] }, Bad("no signature") { _ in [] },
    Bad("R and S are zero") { _ in [UInt8](repeating: 0, count: 64) },
    Bad("R and S are as large as can be") { _ in [UInt8](repeating: 0xff, count: 64) },
    Bad("R is zero") { [UInt8](repeating: 0, count: 32) + $0[32...] },
    Bad("R and S exchanged") { Array($0[32...] + $0[..<32]) },
    Bad("one bit of the signature") { bytes in bytes.dropLast() + [(bytes.last ?? 0) ^ 1] },
    Bad("another key", .signature) { _ in try TokenFactory().token() },
    Bad("other claims", .signature) { factory in
      let parts = try factory.token().split(separator: ".")
      let claims = TokenFactory.encode(TokenFactory.claims(["sub": "bob"]))
      return "\(parts[0]).\(claims).\(parts[2])"
    },
    Bad("another header", .signature) { factory in
      let parts = try factory.token().split(separator: ".")
      return TokenFactory.encode(#"{"alg":"ES256"}"#) + ".\(parts[1]).\(parts[2])"
    },
  ]

  static let badTexts: [Bad] = [
    Bad("empty", .malformed) { _ in "" },
    Bad("two parts", .malformed) {
      try $0.token().split(separator: ".").prefix(2).joined(separator: ".")
    },
    Bad("four parts", .malformed) { try $0.token() + ".AAAA" },
    Bad("five parts, as encrypted tokens have", .malformed) { _ in "e30.AAAA.AAAA.AAAA.AAAA" },
    Bad("an empty part", .malformed) {
      try $0.token().replacing(".", with: "..", maxReplacements: 1)
    },
    Bad("padding", .malformed) { try $0.token() + "==" },
    Bad("white space before it", .malformed) { " " + (try $0.token()) },
    Bad("a line break after it", .malformed) { try $0.token() + "\n" },
    Bad("Bearer before it", .malformed) { "Bearer " + (try $0.token()) },
    Bad("the other alphabet", .malformed) { factory in
      // A header whose base64 has both special characters.
      let header = Data(#"{"alg":"ES256","x":"???>>>"}"#.utf8).base64EncodedString()
      return try factory.token().split(separator: ".").dropFirst()
        .reduce(header.replacing("=", with: "")) { $0 + "." + $1 }
    },
    Bad("stray bits at the end", .malformed) { factory in
      let token = try factory.token()
      // The last of 86 characters has four bits that mean nothing.
      return String(token.dropLast()) + (token.last == "B" ? "C" : "B")
    },
    Bad("longer than 4096 bytes", .malformed) { factory in
      try factory.token(
        claims: TokenFactory.claims(["x": .string(String(repeating: "x", count: 4096))]))
    },
    Bad("a megabyte of dots", .malformed) { _ in String(repeating: ".", count: 1 << 20) },
  ]

  @Test(
    "a bad token proves nothing, and says why",
    arguments: badHeaders + badClaims + badSignatures + badTexts)
  func refused(_ row: Bad) throws {
    let factory = try TokenFactory()
    let text = try row.make(factory)
    #expect {
      try factory.read(text)
    } throws: { error in
      let error = error as? UserTokenError
      #expect(error?.code == row.code, "\(error?.message ?? "")")
      // A message goes into answers, and so has nothing of the token in it.
      #expect(error?.message.contains("ada") == false && error?.message.contains("eyJ") == false)
      return error != nil
    }
  }

  @Test("a token of 4096 bytes is read, one of 4097 is not")
  func longest() throws {
    let factory = try TokenFactory()
    func token(_ count: Int) throws -> String {
      try factory.token(
        claims: TokenFactory.claims(["x": .string(String(repeating: "x", count: count))]))
    }
    let empty = try token(0).utf8.count
    let most = (-4...4).map { (4096 - empty) * 3 / 4 - $0 }.first {
      (try? token($0).utf8.count) == 4096
    }
    let text = try token(try #require(most))
    #expect(text.utf8.count == 4096)
    #expect(try factory.read(text).userID == "ada")
    #expect(throws: UserTokenError.self) { try factory.read(text + "A") }
  }

  @Test("either of two keys verifies a token, and without a key none does")
  func keys() throws {
    let (old, new) = (try TokenFactory(), try TokenFactory())
    let keys = [old.key.publicKey, new.key.publicKey]
    for factory in [old, new] {
      let token = try UserToken(
        try factory.token(), audience: TokenFactory.bundleID, keys: keys, now: TokenFactory.now)
      #expect(token.userID == "ada")
    }
    let error = #expect(throws: UserTokenError.self) {
      try UserToken(
        try old.token(), audience: TokenFactory.bundleID, keys: [], now: TokenFactory.now)
    }
    #expect(error?.message == "cannot be verified: the app has no identity key")
  }

  @Test("no change of one byte makes another valid token")
  func mutations() throws {
    let factory = try TokenFactory()
    let token = Array(try factory.token().utf8)
    for place in token.indices {
      for byte in [UInt8(ascii: "A"), UInt8(ascii: "_"), UInt8(ascii: "."), 0, 0xff]
      where byte != token[place] {
        var other = token
        other[place] = byte
        #expect(throws: UserTokenError.self) {
          try factory.read(String(decoding: other, as: UTF8.self))
        }
      }
    }
  }
}

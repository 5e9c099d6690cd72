import Foundation
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("The keys of an OpenID provider")
struct ProviderKeysTests {
  /// The published cases of Project Wycheproof for RS256 and ES256, and for keys that are for something else.
  @Test("each published signature is taken or refused as its authors say")
  func published() throws {
    let document = try JSONValue(parsing: try Fixtures.bytes("tokens/wycheproof-jws.json"))
    var counts = (taken: 0, refused: 0)
    for group in try #require(document["groups"]?.array) {
      let key = try #require(group["public"])
      let set = JSONValue.object(["keys": [key]])
      let keys = try ProviderKeys(Array(set.serialized()))
      for test in try #require(group["tests"]?.array) {
        let compact = try #require(test["jws"]?.string)
        let isTaken = (try? IDToken.parse(compact)).map(keys.verify) ?? false
        // A key for RSA-PSS is valid, and of an algorithm that is not taken.
        let isValid = test["result"] == "valid" && key["alg"] != "PS256"
        #expect(isTaken == isValid, "\(test["tcId"] ?? .null) \(test["comment"] ?? .null)")
        if isTaken { counts.taken += 1 } else { counts.refused += 1 }
      }
    }
    #expect(counts.taken == 10 && counts.refused > 260, "\(counts)")
  }

  private static let modulus = String(repeating: "_", count: 342)

  @Test(
    "keys of other kinds, for other uses, and too short or too long ones are left out",
    arguments: [
      ["kty": "oct", "k": "AAAA"], ["kty": "RSA", "n": "AQAB", "e": "AQAB"],
      ["kty": "RSA", "n": .string(modulus), "e": "AQ"],
      ["kty": "RSA", "n": .string(modulus), "e": ""],
      ["kty": "RSA", "n": .string(String(repeating: "_", count: 1367)), "e": "AQAB"],
      ["kty": "RSA", "n": .string(modulus), "e": "AQAB", "use": "enc"],
      ["kty": "RSA", "n": .string(modulus), "e": "AQAB", "key_ops": ["encrypt"]],
      ["kty": "RSA", "n": 5, "e": "AQAB"], ["kty": "EC", "crv": "P-384", "x": "AA", "y": "AA"],
      ["kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"], ["kty": "OKP"], [:], 5,
    ] as [JSONValue])
  func leftOut(_ key: JSONValue) throws {
    let document = try JSONValue(parsing: try Fixtures.bytes("tokens/wycheproof-jws.json"))
    let group = try #require(document["groups"]?.array?.first { $0["comment"] == "rs256" })
    let compact = try #require(group["tests"]?.array?.first?["jws"]?.string)
    let token = try IDToken.parse(compact)
    let good = try #require(group["public"])
    let mixed = try ProviderKeys(Array(JSONValue.object(["keys": [key, good]]).serialized()))
    #expect(mixed.verify(token), "the others are used")
    let alone = try ProviderKeys(Array(JSONValue.object(["keys": [key]]).serialized()))
    #expect(!alone.verify(token))
  }

  @Test(
    "a text that is no key set is refused", arguments: ["", "[]", "{}", #"{"keys":5}"#, "<html>"])
  func noSet(_ text: String) {
    #expect(throws: ProviderFailure.self) { try ProviderKeys(Array(text.utf8)) }
  }

  @Test("of very many keys the first 64 are used")
  func limit() throws {
    let document = try JSONValue(parsing: try Fixtures.bytes("tokens/wycheproof-jws.json"))
    let group = try #require(document["groups"]?.array?.first { $0["comment"] == "es256" })
    let token = try IDToken.parse(try #require(group["tests"]?.array?.first?["jws"]?.string))
    let good = try #require(group["public"])
    for (before, isUsed) in [(63, true), (64, false)] {
      let keys = [JSONValue](repeating: ["kty": "OKP"], count: before) + [good]
      let set = try ProviderKeys(Array(JSONValue.object(["keys": .array(keys)]).serialized()))
      #expect(set.verify(token) == isUsed)
    }
  }
}

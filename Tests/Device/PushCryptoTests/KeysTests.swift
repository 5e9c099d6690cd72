import FoundationEssentials
import Testing
import _OpenSSLCrypto

@testable import PushCrypto

@Suite("Device keys")
struct KeysTests {
  let keys: DeviceKeys
  var texts: [String: String]

  init() throws {
    keys = try DeviceKeys.generate(with: provider)
    texts = try JSONDecoder().decode([String: String].self, from: JSONEncoder().encode(keys))
  }

  private func read(_ texts: [String: String]) throws(CryptoError) -> DeviceKeys {
    try DeviceKeys(json: Array((try? JSONEncoder().encode(texts)) ?? Data()), provider: provider)
  }

  @Test("the JSON form has three base64url texts without padding, and decodes to the same keys")
  func json() throws {
    #expect(texts.mapValues(\.count) == ["private_key": 43, "public_key": 87, "auth_secret": 22])
    #expect(texts["private_key"].flatMap { Base64URL.decode($0) } == keys.privateKey)
    #expect(texts["public_key"].flatMap { Base64URL.decode($0) } == keys.subscription.publicKey)
    #expect(texts["auth_secret"].flatMap { Base64URL.decode($0) } == keys.subscription.authSecret)
    #expect(try read(texts) == keys)
    #expect(try read(texts.merging(["note": "mine"]) { $1 }) == keys)
  }

  @Test("the subscription has all members but the private key")
  func subscription() throws {
    let json = try JSONEncoder().encode(keys.subscription)
    let registered = try JSONDecoder().decode([String: String].self, from: json)
    var expected = texts
    expected["private_key"] = nil
    #expect(registered == expected)
    #expect(try JSONDecoder().decode(SubscriptionKeys.self, from: json) == keys.subscription)
    #expect(
      try SubscriptionKeys(
        publicKey: #require(texts["public_key"]), authSecret: #require(texts["auth_secret"]))
        == keys.subscription)
  }

  @Test("generated keys differ, and public and private key belong together")
  func generate() throws {
    let other = try DeviceKeys.generate(with: provider)
    #expect(other != keys)
    #expect(other.subscription.authSecret != keys.subscription.authSecret)
    try other.validate(with: provider)
    try other.subscription.validate(with: provider)
  }

  @Test(
    "names a member that is missing, padded, too short, too long or in another alphabet",
    arguments: ["private_key", "public_key", "auth_secret"])
  func badTexts(name: String) throws {
    let good = try #require(texts[name])
    let bytes = try #require(Base64URL.decode(good))
    let bad = [
      nil, "", good + "=", good + "A", String(good.dropLast()), "+" + good.dropFirst(), "é\(good)",
      Base64URL.encode(bytes + [0]), Base64URL.encode(bytes.dropLast()),
    ]
    for text in bad {
      var changed = texts
      changed[name] = text
      do {
        _ = try read(changed)
        Issue.record("accepted \(name) of \(text?.count ?? -1) characters")
      } catch {
        #expect(error.code == .badKey)
        #expect(error.message.contains(name))
        for (_, secret) in texts { #expect(!error.message.contains(secret)) }
      }
    }
  }

  @Test("refuses a public key of another pair, and one that is not on the curve")
  func mismatch() throws {
    let other = try DeviceKeys.generate(with: provider).subscription.publicKey
    var offCurve = keys.subscription.publicKey
    offCurve[64] ^= 1
    for point in [other, offCurve] {
      var changed = texts
      changed["public_key"] = Base64URL.encode(point)
      #expect(code { try read(changed) } == .badKey)
      #expect(
        code {
          try DeviceKeys(
            privateKey: keys.privateKey, publicKey: point,
            authSecret: keys.subscription.authSecret, provider: provider)
        } == .badKey)
    }
  }

  @Test(
    "an error about other JSON contains nothing of it",
    arguments: [
      "", "SECRET", "[\"SECRET\"]", #"{"private_key": "SECRET"#, #"{"private_key": 7}"#, "{}",
    ])
  func noJSON(text: String) {
    do {
      _ = try DeviceKeys(json: Array(text.utf8), provider: provider)
      Issue.record("accepted")
    } catch {
      #expect(error.code == .badKey)
      #expect(error.message.contains("private_key, public_key and auth_secret"))
      #expect(!error.message.contains("SECRET"))
    }
  }

  @Test("printing and reflection show only the public key")
  func redaction() throws {
    struct Holder { let device: DeviceKeys }
    var dumped = ""
    dump(Holder(device: keys), to: &dumped)
    dump(keys.subscription, to: &dumped)
    let shown = [
      "\(keys)", String(reflecting: keys), "\([keys])", "\(Holder(device: keys))",
      "\(Optional(keys) as Any)", "\(keys.subscription)", String(reflecting: [keys.subscription]),
      dumped,
    ]
    for text in shown {
      #expect(text.contains(Base64URL.encode(keys.subscription.publicKey)))
      for secret in [keys.privateKey, keys.subscription.authSecret] {
        #expect(!text.contains(Base64URL.encode(secret)))
        #expect(!text.contains("\(secret[0]), \(secret[1]), \(secret[2])"))
        // As `dump` would list an array.
        #expect(!text.contains("16 elements") && !text.contains("32 elements"))
      }
    }
  }
}

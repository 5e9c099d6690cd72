import FoundationEssentials
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import PushCrypto

@Suite("Web Push encryption (RFC 8291)")
struct WebPushTests {
  let keys: DeviceKeys
  let message = Array("When I grow up, I want to be a watermelon".utf8)

  init() throws { keys = try DeviceKeys.generate(with: provider) }

  struct Vector: Decodable {
    let plaintext, as_public, as_private, ua_public, ua_private: Bytes
    let salt, auth_secret, ecdh_secret, IKM, CEK, NONCE, body: Bytes
  }

  @Test("encrypts and decrypts the example of the RFC exactly, with its intermediate values")
  func vector() throws {
    let vector = try fixture("rfc8291", as: Vector.self)
    let device = try DeviceKeys(
      privateKey: vector.ua_private.value, publicKey: vector.ua_public.value,
      authSecret: vector.auth_secret.value, provider: provider)
    let sender = try provider.ecdhKey(rawRepresentation: vector.as_private.value)
    #expect(sender.publicKey == vector.as_public.value)
    #expect(try sender.sharedSecret(with: vector.ua_public.value) == vector.ecdh_secret.value)
    let derivation = HKDF(
      salt: vector.salt.value, keyingMaterial: vector.IKM.value, provider: provider)
    #expect(
      derivation.expand(info: Array("Content-Encoding: aes128gcm\0".utf8), count: 16)
        == vector.CEK.value)
    #expect(
      derivation.expand(info: Array("Content-Encoding: nonce\0".utf8), count: 12)
        == vector.NONCE.value)
    let body = try WebPush.seal(
      vector.plaintext.value, to: device.subscription, padding: 0, sender: sender,
      salt: vector.salt.value, provider: provider)
    #expect(body == vector.body.value)
    #expect(try WebPush.open(vector.body.value, with: device, provider: provider) == message)
  }

  @Test(
    "a device decrypts what was encrypted for it, which is longer by the overhead",
    arguments: [0, 1, 15, 16, 17, 3993, 4078, 4079, 4080, 65_536 - WebPush.overhead], [0, 1, 100])
  func roundTrip(length: Int, padding: Int) throws {
    let plaintext = bytes(length)
    guard length + padding + WebPush.overhead <= EncryptedContent.maximumLength else {
      let found = code {
        try WebPush.seal(plaintext, to: keys.subscription, padding: padding, provider: provider)
      }
      #expect(found == .tooLarge)
      return
    }
    let body = try WebPush.seal(
      plaintext, to: keys.subscription, padding: padding, provider: provider)
    #expect(body.count == length + padding + WebPush.overhead)
    let header = try EncryptedContent.Header(parsing: body)
    #expect(header.recordSize > length + padding + 17)
    #expect(header.keyID.count == 65)
    #expect(try WebPush.open(body, with: keys, provider: provider) == plaintext)
  }

  @Test("refuses padding out of range", arguments: [-1, Int.min, Int.max, 65_537])
  func padding(padding: Int) {
    let found = code {
      try WebPush.seal([1], to: keys.subscription, padding: padding, provider: provider)
    }
    #expect(found == (padding < 0 ? .malformed : .tooLarge))
  }

  @Test("every message has its own salt and its own sender key")
  func freshness() throws {
    let bodies = try (0..<2).map { _ in
      try WebPush.seal(message, to: keys.subscription, provider: provider)
    }
    #expect(bodies[0].prefix(16) != bodies[1].prefix(16))
    #expect(bodies[0][21..<86] != bodies[1][21..<86])
  }

  @Test("decrypting with another device, auth secret or private key fails")
  func wrongKeys() throws {
    let body = try WebPush.seal(message, to: keys.subscription, provider: provider)
    let other = try DeviceKeys.generate(with: provider)
    #expect(
      code { try WebPush.open(body, with: other, provider: provider) }
        == .authentication)
    let otherSecret = try DeviceKeys(
      privateKey: keys.privateKey, publicKey: keys.subscription.publicKey,
      authSecret: other.subscription.authSecret, provider: provider)
    #expect(
      code {
        try WebPush.open(body, with: otherSecret, provider: provider)
      } == .authentication)
  }

  @Test("decrypting refuses keys that do not belong together, however they were decoded")
  func mismatchedHalves() throws {
    let other = try DeviceKeys.generate(with: provider)
    let json = """
      {"private_key": "\(Base64URL.encode(other.privateKey))",
       "public_key": "\(Base64URL.encode(keys.subscription.publicKey))",
       "auth_secret": "\(Base64URL.encode(keys.subscription.authSecret))"}
      """
    let mixed = try JSONDecoder().decode(DeviceKeys.self, from: Data(json.utf8))
    let body = try WebPush.seal(message, to: keys.subscription, provider: provider)
    #expect(
      code { try WebPush.open(body, with: mixed, provider: provider) }
        == .badKey)
  }

  @Test("refuses to encrypt for a public key that is not on the curve")
  func offCurve() throws {
    var point = keys.subscription.publicKey
    point[64] ^= 1
    let subscription = try SubscriptionKeys(
      publicKey: point, authSecret: keys.subscription.authSecret)
    #expect(
      code {
        try WebPush.seal(message, to: subscription, provider: provider)
      } == .badKey)
    #expect(code { try subscription.validate(with: provider) } == .badKey)
  }

  @Test("a changed bit anywhere is an error and never a trap")
  func corruption() throws {
    let body = try WebPush.seal([1, 2, 3], to: keys.subscription, provider: provider)
    for index in body.indices {
      for bit in 0..<8 {
        var changed = body
        changed[index] ^= 1 << bit
        let found = code {
          try WebPush.open(changed, with: keys, provider: provider)
        }
        // The record size is not authenticated: with a larger one the only record is the same.
        let isLargerRecord = (16..<20).contains(index) && changed[16..<20] != [0, 0, 0, 0]
        #expect(found != nil || isLargerRecord, "byte \(index) bit \(bit)")
        if (22..<86).contains(index) { #expect(found == .malformed) }
        if !(16..<86).contains(index) { #expect(found == .authentication) }
      }
    }
  }

  @Test("a body that was cut is an error")
  func truncation() throws {
    let body = try WebPush.seal(message, to: keys.subscription, provider: provider)
    for length in 0..<body.count {
      let found = code {
        try WebPush.open(Array(body.prefix(length)), with: keys, provider: provider)
      }
      #expect(found == (length < 86 + 17 ? .truncated : .authentication), "\(length)")
    }
  }

  @Test(
    "refuses a key id that does not have the length of a public key",
    arguments: [0, 1, 33, 64, 66, 255])
  func keyIDLength(count: Int) throws {
    let body = try EncryptedContent.seal(
      message, keyingMaterial: bytes(32), keyID: [UInt8](repeating: 4, count: count),
      provider: provider)
    #expect(
      code { try WebPush.open(body, with: keys, provider: provider) }
        == .malformed)
  }

  @Test("random bodies, half of them with a valid header, are errors and never traps")
  func randomBodies() throws {
    let sealed = try WebPush.seal(message, to: keys.subscription, provider: provider)
    var generator = SeededGenerator(seed: 8291)
    for index in 0..<2_000 {
      var body = (0..<Int.random(in: 0...400, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      if index.isMultiple(of: 2) {
        body = sealed.prefix(86) + body
        body[16] = 0
        body[17] = 0
        body[18] = UInt8.random(in: 0...1, using: &generator)
        body[19] = UInt8.random(in: 0...255, using: &generator)
      }
      let found = code {
        try WebPush.open(body, with: keys, provider: provider)
      }
      #expect(found != nil, "seed 8291, body \(index)")
    }
  }
}

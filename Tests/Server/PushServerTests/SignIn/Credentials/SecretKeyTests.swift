import APNs
import PushModel
import PushPayload
import Synchronization
import Testing
import _OpenSSLCrypto
import _TLS

@testable import PushServer

@Suite("The secret that seals p8 keys")
struct SecretKeyTests {
  private func bytes(_ hex: String) -> [UInt8] {
    stride(from: 0, to: hex.utf8.count, by: 2).map { offset in
      UInt8(hex.dropFirst(offset).prefix(2), radix: 16) ?? 0
    }
  }

  private func app(_ sealedKey: [UInt8], id: String = "app") -> App {
    App(
      id: id, name: "n", bundleID: "b", teamID: "t", keyID: "k", sealedKey: sealedKey,
      createdAt: Timestamp(milliseconds: 0))
  }

  @Test("AES-256-GCM seals as test case 16 of McGrew and Viega's paper says")
  func knownAnswer() throws {
    let key = bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
    let plaintext = bytes(
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6"
        + "b525b16aedf5aa0de657ba637b39")
    let data = bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    let nonce = bytes("cafebabefacedbaddecaf888")
    let ciphertext = bytes(
      "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828"
        + "838c5f61e6393ba7a0abcc9f662")
    let tag = bytes("76fc6ece0f4e1768cddf8853bb2d551b")
    let cipher = try #require(AES256GCM(key: key))
    let sealed = cipher.seal(plaintext, authenticating: data, nonce: nonce)
    #expect(sealed == nonce + ciphertext + tag)
    #expect(cipher.open(sealed, authenticating: data) == plaintext)
  }

  @Test("a changed bit, a missing byte and other authenticated data are detected")
  func tampering() throws {
    let cipher = try #require(AES256GCM(key: OpenSSLCrypto.randomBytes(32)))
    let sealed = cipher.seal([1, 2, 3], authenticating: [9])
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 0x40
      #expect(cipher.open(changed, authenticating: [9]) == nil)
      #expect(cipher.open(Array(sealed.prefix(index)), authenticating: [9]) == nil)
    }
    #expect(cipher.open(sealed, authenticating: [8]) == nil)
    #expect(cipher.open(sealed, authenticating: []) == nil)
    let empty = cipher.seal([], authenticating: [])
    #expect(empty.count == 28)
    #expect(cipher.open(empty, authenticating: []) == [])
  }

  @Test(
    "a secret has 32 bytes, and two have 64",
    arguments: [0, 31, 33, 63, 65, 96])
  func length(count: Int) {
    #expect(SecretKey([UInt8](repeating: 7, count: count)) == nil)
    #expect(SecretKey([UInt8](repeating: 7, count: 32)) != nil)
    #expect(SecretKey([UInt8](repeating: 7, count: 64)) != nil)
  }

  /// The derived values are what a data folder depends on. They were computed with Python's `hmac`:
  /// `prk = HMAC-SHA256(b"", secret)`, `HMAC-SHA256(prk, info + b"\x01")` (RFC 5869).
  @Test(
    "the key of each purpose is the output of HKDF-SHA-256 for the purpose's name",
    arguments: [
      (Secret.Purpose.apnsKey, "d1b80db2384f373236dc1115cefa12f716f259cf772c178cda4d7ad53445cd05"),
      (.webhookSecret, "31187fc870e30cb16517b212db67d81a6b3f4697bc7a6a36a91ca03eb5678682"),
      (.session, "3d27fb232a51c1ce9b5405815ceb2ac839a8343f924dbf07c7215a7c45e3e09b"),
      (.undo, "b2414f00512fad8786c52449695390f56621d6629e73b21a1309745aade3bb7b"),
      (.secondFactor, "2e27c0a345faefbf5656e4ba01cd299a0e25b270bbcbef3ba428a6adf2c403a8"),
    ])
  func derivation(purpose: Secret.Purpose, key: String) throws {
    let secret = try #require(Secret([UInt8](0..<32)))
    #expect(secret.mark == [2] + bytes("7b17c3095a3e15a1"))
    let sealed = secret.seal("text", as: purpose, for: "owner")
    #expect(sealed.starts(with: secret.mark))
    let cipher = try #require(AES256GCM(key: bytes(key)))
    let opened = cipher.open(Array(sealed.dropFirst(9)), authenticating: Array("owner".utf8))
    #expect(opened == Array("text".utf8))
  }

  @Test("a value opens for its purpose only", arguments: Secret.Purpose.allCases)
  func purposes(purpose: Secret.Purpose) throws {
    let key = try #require(SecretKey(SecretKey.randomBytes()))
    let sealed = key.seal("text", as: purpose, for: "owner")
    for other in Secret.Purpose.allCases {
      #expect(key.open(sealed, as: other, for: "owner") == (other == purpose ? "text" : nil))
    }
    #expect(key.open(sealed, as: purpose, for: "another") == nil)
  }

  @Test("a sealed key opens with its secret and for its app only, and never looks the same twice")
  func sealing() throws {
    let secretKey = try #require(SecretKey(SecretKey.randomBytes()))
    let sealed = secretKey.seal("PEM", for: "app")
    #expect(sealed.first == 2)
    #expect(sealed.count == 9 + 12 + 3 + 16)
    #expect(sealed != secretKey.seal("PEM", for: "app"))
    #expect(try secretKey.privateKey(of: app(sealed)) == "PEM")
    let other = try #require(SecretKey(SecretKey.randomBytes()))
    #expect(throws: SecretKey.Mismatch.self) { try other.privateKey(of: app(sealed)) }
    // A value of another app, one of another format, and one that is not encrypted.
    #expect(throws: SecretKey.Mismatch.self) {
      try secretKey.privateKey(of: app(sealed, id: "another"))
    }
    #expect(throws: SecretKey.Mismatch.self) {
      try secretKey.privateKey(of: app([1] + sealed.dropFirst()))
    }
    #expect(throws: SecretKey.Mismatch.self) {
      try secretKey.privateKey(of: app(Array("-----BEGIN PRIVATE KEY-----".utf8)))
    }
  }

  @Test("of two secrets each opens its own values, and the older one seals")
  func two() async throws {
    let (newer, older) = (SecretKey.randomBytes(), SecretKey.randomBytes())
    let both = try #require(SecretKey(newer + older))
    let (one, other) = (try #require(SecretKey(newer)), try #require(SecretKey(older)))
    for single in [one, other] {
      let sealed = single.seal("PEM", for: "app")
      #expect(try both.privateKey(of: app(sealed)) == "PEM")
    }
    let sealed = both.seal("PEM", for: "app")
    #expect(try other.privateKey(of: app(sealed)) == "PEM")
    #expect(throws: SecretKey.Mismatch.self) { try one.privateKey(of: app(sealed)) }

    // For a store it is the one that the store names.
    let fixture = try await Fixture()
    #expect(
      try await both.inUse(in: fixture.store).seal("PEM", for: "app").starts(with: sealed.prefix(9))
    )
    let mark = try #require(Secret(newer)?.mark)
    #expect(try await fixture.store.claimSealMark(mark) == mark)
    #expect(try await both.inUse(in: fixture.store).seal("PEM", for: "app").starts(with: mark))
    await #expect(throws: StoreError.self) { try await other.inUse(in: fixture.store) }
  }

  @Test("a sender goes on with the new secret, without a restart")
  func rotated() async throws {
    let fixture = try await Fixture()
    try await fixture.register("device")
    let bytes = Mutex(SecretKey.randomBytes())
    let older = try #require(SecretKey(bytes.withLock(\.self)))
    let oldMark = try #require(Secret(bytes.withLock(\.self))?.mark)
    var app = fixture.app
    app.sealedKey = older.seal(fixture.newApp.privateKey, for: app.id)
    #expect(try await fixture.store.update(app, from: fixture.app))
    _ = try await fixture.store.claimSealMark(oldMark)
    let first = try #require(SecretKey.Secrets(bytes.withLock(\.self)))
    let apns = try await LocalAPNs(for: fixture.newApp)
    let sender = APNsSender(
      endpoints: .init(
        production: apns.endpoint, extraTrustPEM: apns.authority.certificatePEM),
      secretKey: SecretKey { SecretKey.Secrets(bytes.withLock(\.self)) ?? first })
    func send() async throws -> Int {
      let id = await fixture.send(["alert": "Hi"]).json["notification"]?["id"]?.string ?? ""
      while let wait = await fixture.dispatcher(sender).sendDueBatches() {
        fixture.clock.advance(by: wait)
      }
      return try await fixture.store.send(id, app: app.id)?.counts.sent ?? 0
    }
    #expect(try await send() == 1)

    let new = SecretKey.randomBytes()
    let newer = try #require(SecretKey(new))
    bytes.withLock { $0 = new + $0 }
    #expect(try await send() == 1)
    let mark = try #require(Secret(new)?.mark)
    let count = try await fixture.store.reseal(from: oldMark, to: mark) {
      value throws(StoreError) in
      do throws(SecretKey.Mismatch) {
        return try older.reseal(value, with: newer)
      } catch {
        throw StoreError(.failed, error.description)
      }
    }
    #expect(count == 1)
    #expect(try await send() == 1)
    bytes.withLock { $0 = new }
    #expect(try await send() == 1)
    await sender.close()
    await apns.stop()
  }

  @Test("a request whose secret was replaced meanwhile is 409, and one of a node without it 503")
  func replacedMeanwhile() async throws {
    let fixture = try await Fixture()
    let mark = try #require(Secret(SecretKey.randomBytes())?.mark)
    _ = try await fixture.store.claimSealMark(mark)
    let path = "/v6/apps/\(fixture.app.id)"
    // The app still has its value of before, which is not written back.
    let renamed = await fixture.request(
      "PUT", path, role: .admin, body: #"{"app":{"name":"Storm"}}"#)
    #expect(renamed.status == 409)
    #expect(
      renamed.error == "the server's secret was changed while this was being stored; try again")
    let body: JSONValue = [
      "app": ["private_key": .string(OpenSSLCrypto.makeP256KeyPEM()), "verify": false]
    ]
    let changed = await fixture.request("PUT", path, role: .admin, body: body.text)
    #expect(changed.status == 503 && changed.headers["Retry-After"] == "1")
    let hook = #"{"webhook":{"url":"https://example.com","events":["notification.create"]}}"#
    #expect(await fixture.request("POST", "/v6/webhooks", role: .admin, body: hook).status == 503)
  }

  @Test("neither the description nor a dump shows a byte of it")
  func description() throws {
    let secretKey = try #require(SecretKey([UInt8](repeating: 201, count: 32)))
    var dumped = ""
    dump(["it": secretKey], to: &dumped)
    for text in ["\(secretKey)", String(reflecting: secretKey), dumped] {
      #expect(!text.contains("201"))
    }
  }

  @Test("an app whose key another secret sealed is retried, and sent to once the secret is right")
  func wrongSecret() async throws {
    let fixture = try await Fixture()
    try await fixture.register("device")
    let other = try #require(SecretKey(SecretKey.randomBytes()))
    let apns = try await LocalAPNs(for: fixture.newApp)
    func sender(_ secretKey: SecretKey) -> APNsSender {
      APNsSender(
        endpoints: .init(
          production: apns.endpoint, extraTrustPEM: apns.authority.certificatePEM),
        secretKey: secretKey)
    }
    let id = await fixture.send(["alert": "Hi"]).json["notification"]?["id"]?.string ?? ""
    #expect(await fixture.dispatcher(sender(other)).sendDueBatches() == .seconds(1))
    #expect(try await fixture.store.send(id, app: fixture.app.id)?.state == .sending)

    fixture.clock.advance(by: .seconds(1))
    let right = sender(fixture.secretKey)
    while let wait = await fixture.dispatcher(right).sendDueBatches() {
      fixture.clock.advance(by: wait)
    }
    #expect(try await fixture.store.send(id, app: fixture.app.id)?.counts.sent == 1)
    await right.close()
    await apns.stop()
  }
}

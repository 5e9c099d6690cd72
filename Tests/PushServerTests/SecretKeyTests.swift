import APNs
import PushPayload
import PushServer
import PushStore
import Testing
import _OpenSSLCrypto
import _TLS

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

  @Test("a key has 32 bytes", arguments: [0, 31, 33])
  func length(count: Int) {
    #expect(SecretKey([UInt8](repeating: 7, count: count)) == nil)
  }

  @Test("a sealed key opens with its secret and for its app only, and never looks the same twice")
  func sealing() throws {
    let secretKey = try #require(SecretKey(SecretKey.randomBytes()))
    let sealed = secretKey.seal("PEM", for: "app")
    #expect(sealed.first == 1)
    #expect(sealed.count == 1 + 12 + 3 + 16)
    #expect(sealed != secretKey.seal("PEM", for: "app"))
    #expect(try secretKey.privateKey(of: app(sealed)) == "PEM")
    let other = try #require(SecretKey(SecretKey.randomBytes()))
    #expect(throws: SecretKey.Mismatch.self) { try other.privateKey(of: app(sealed)) }
    // A value of another app, and one of an unknown format.
    #expect(throws: SecretKey.Mismatch.self) {
      try secretKey.privateKey(of: app(sealed, id: "another"))
    }
    #expect(throws: SecretKey.Mismatch.self) {
      try secretKey.privateKey(of: app([2] + sealed.dropFirst()))
    }
  }

  @Test("a key in the clear, as the first versions stored it, is read unchanged")
  func clear() throws {
    let secretKey = try #require(SecretKey(SecretKey.randomBytes()))
    for text in ["-----BEGIN PRIVATE KEY-----", "\nBag Attributes\n-----BEGIN"] {
      #expect(!SecretKey.hasSealed(app(Array(text.utf8))))
      #expect(try secretKey.privateKey(of: app(Array(text.utf8))) == text)
    }
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

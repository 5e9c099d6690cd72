import PushCrypto
import PushModel
import PushPayload
import Testing
import _OpenSSLCrypto

@testable import PushServer

@Suite("Passkeys of authenticators")
struct RelyingPartyTests {
  /// Web Authentication Level 3, section 16.2, "ES256 Credential with No Attestation".
  private enum Vector {
    static let party = RelyingParty("https://example.org")
    static let challenge = "00c30fb78531c464d2b6771dab8d7b603c01162f2fa486bea70f283ae556e130"
    static let clientData =
      "7b2274797065223a22776562617574686e2e637265617465222c226368616c6c656e6765223a22414d4d507434557878475453746e63"
      + "647134313759447742466938767049612d7077386f4f755657345441222c226f726967696e223a2268747470733a2f2f6578616d706c"
      + "652e6f7267222c2263726f73734f726967696e223a66616c73652c22657874726144617461223a22636c69656e74446174614a534f4e"
      + "206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c"
      + "207375636820617320746869733a20426b5165446a646354427258426941774a544c453551227d"
    static let authenticatorData =
      "bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b559000000008446ccb9ab1db374750b2367ff6f3a1f00"
      + "20f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4a5010203262001215820afefa16f97ca9b2d23eb86"
      + "ccb64098d20db90856062eb249c33a9b672f26df61225820930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b"
      + "9220"
    static let id = "f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4"
    static let signedChallenge = "39c0e7521417ba54d43e8dc95174f423dee9bf3cd804ff6d65c857c9abf4d408"
    static let signedClientData =
      "7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a224f63446e55685158756c5455506f334a5558"
      + "543049393770767a7a59425039745a63685879617630314167222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f"
      + "7267222c2263726f73734f726967696e223a66616c73657d"
    static let signedData =
      "bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b51900000000"
    static let signature =
      "3046022100f50a4e2e4409249c4a853ba361282f09841df4dd4547a13a87780218deffcd380221008480ac0f0b93538174f575bf11a1"
      + "dd5d78c6e486013f937295ea13653e331e87"
  }

  private static func bytes(_ hex: String) -> [UInt8] { [UInt8](hex: hex) ?? [] }

  @Test("the standard's example is read, and its signature is that of its key")
  func vector() throws {
    let data = try #require(AuthenticatorData(Self.bytes(Vector.authenticatorData)))
    #expect(data.credential?.id == Self.bytes(Vector.id))
    #expect(data.isPresent && !data.isVerified && data.signatureCount == 0)
    let credential = try #require(data.credential)
    let key = try #require(COSEKey(credential.publicKey))
    let message =
      Self.bytes(Vector.signedData) + OpenSSLCrypto.sha256(Self.bytes(Vector.signedClientData))
    #expect(key.isValid(signature: Self.bytes(Vector.signature), of: message))
    #expect(!key.isValid(signature: Self.bytes(Vector.signature), of: message + [0]))
    #expect(!key.isValid(signature: Self.bytes(Vector.signature).dropLast(), of: message))
  }

  @Test("the standard's example is refused for one reason: nobody was verified")
  func unverified() throws {
    let party = try #require(Vector.party)
    let reason = PasskeyFailure("the authenticator did not verify who uses it")
    #expect(throws: reason) {
      try party.registered(
        clientData: Self.bytes(Vector.clientData),
        authenticatorData: Self.bytes(Vector.authenticatorData),
        challenge: Self.bytes(Vector.challenge))
    }
    let data = try #require(AuthenticatorData(Self.bytes(Vector.authenticatorData)))
    let passkey = Passkey(
      id: Self.bytes(Vector.id), account: "a",
      publicKey: try #require(data.credential).publicKey, signatureCount: 0, name: "",
      createdAt: Timestamp(milliseconds: 0))
    #expect(throws: reason) {
      try party.signed(
        clientData: Self.bytes(Vector.signedClientData),
        authenticatorData: Self.bytes(Vector.signedData),
        signature: Self.bytes(Vector.signature), challenge: Self.bytes(Vector.signedChallenge),
        with: passkey)
    }
  }

  /// A change of a good answer, and a word of what is then said of it.
  struct Bad: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var word: String
    var change: @Sendable (inout SoftwareAuthenticator) -> Void

    init(
      _ name: String, _ word: String,
      _ change: @escaping @Sendable (inout SoftwareAuthenticator) -> Void
    ) {
      (testDescription, self.word, self.change) = (name, word, change)
    }
  }

  /// Web Authentication Level 3, sections 7.1 and 7.2.
  static let bad: [Bad] = [
    Bad("another site", "site") { $0.origin = "https://push.example.evil.example" },
    Bad("another port", "site") { $0.origin = "https://push.example:8443" },
    Bad("without https", "site") { $0.origin = "http://push.example" },
    Bad("in a frame of another site", "site") { $0.crossOrigin = true },
    Bad("another host", "host") { $0.party = "example" },
    Bad("for something else", "for this") { $0.type = "payment.get" },
    Bad("nobody was there", "verify") { $0.flags = 0x04 },
    Bad("nobody was verified", "verify") { $0.flags = 0x01 },
    Bad("extensions that no flag names", "read") { $0.end = [0xa0] },
    Bad("extensions that are not there", "read") { $0.flags = 0x85 },
  ]

  @Test("an answer of another site, host or kind is refused", arguments: bad)
  func refused(_ row: Bad) throws {
    let party = try #require(RelyingParty("https://push.example"))
    var device = SoftwareAuthenticator()
    let challenge = Base64URL.encode(Array("challenge".utf8))
    #expect(throws: Never.self) { try Self.register(device, challenge, party) }
    #expect(throws: Never.self) { try Self.sign(device, challenge, party) }
    row.change(&device)
    for answer in [Self.register, Self.sign] {
      let failure = #expect(throws: PasskeyFailure.self) { try answer(device, challenge, party) }
      #expect(failure?.description.contains(row.word) == true, "\(failure?.description ?? "")")
    }
  }

  @Test("an answer to another challenge, or with another key, is refused")
  func others() throws {
    let party = try #require(RelyingParty("https://push.example"))
    let device = SoftwareAuthenticator()
    for answer in [Self.register, Self.sign] {
      #expect(throws: PasskeyFailure("it is for another challenge")) {
        try answer(device, Base64URL.encode([1]), party)
      }
    }
    #expect(throws: PasskeyFailure("it is not signed with the key")) {
      try Self.sign(
        device, Base64URL.encode(Array("challenge".utf8)), party, key: SoftwareAuthenticator())
    }
    #expect(throws: PasskeyFailure("it is not for this")) {
      var device = device
      device.type = "webauthn.create"
      try Self.sign(device, Base64URL.encode(Array("challenge".utf8)), party)
    }
  }

  private static func register(
    _ device: SoftwareAuthenticator, _ challenge: String, _ party: RelyingParty
  ) throws {
    let fields = Form(device.register(challenge))
    let made = try party.registered(
      clientData: fields.bytes("client_data"),
      authenticatorData: fields.bytes("authenticator_data"), challenge: Array("challenge".utf8))
    #expect(made.credential.id == device.id && made.credential.publicKey == device.coseKey)
  }

  private static func sign(
    _ device: SoftwareAuthenticator, _ challenge: String, _ party: RelyingParty
  ) throws {
    try sign(device, challenge, party, key: device)
  }

  private static func sign(
    _ device: SoftwareAuthenticator, _ challenge: String, _ party: RelyingParty,
    key other: SoftwareAuthenticator
  ) throws {
    let fields = Form(try device.sign(challenge))
    let passkey = Passkey(
      id: device.id, account: "a", publicKey: other.coseKey, signatureCount: 0, name: "",
      createdAt: Timestamp(milliseconds: 0))
    _ = try party.signed(
      clientData: fields.bytes("client_data"),
      authenticatorData: fields.bytes("authenticator_data"),
      signature: fields.bytes("signature"), challenge: Array("challenge".utf8), with: passkey)
  }

  @Test(
    "browsers have passkeys over https at a name, and on this machine",
    arguments: [
      ("https://push.example", "push.example", "https://push.example"),
      ("https://push.example:443", "push.example", "https://push.example"),
      ("https://Push.example:8443", "push.example", "https://push.example:8443"),
      ("http://localhost:8080", "localhost", "http://localhost:8080"),
      ("http://push.example", nil, nil), ("https://192.0.2.1", nil, nil),
      ("http://127.0.0.1:8080", nil, nil), ("https://[2001:db8::1]", nil, nil), ("", nil, nil),
    ] as [(String, String?, String?)])
  func addresses(url: String, id: String?, origin: String?) {
    let party = RelyingParty(url)
    #expect(party?.id == id && party?.origin == origin)
  }

  @Test(
    "a key is a map of integers and bytes that is as short as it can be",
    arguments: [
      ("a0", [:]), ("a10102", [1: .integer(2)]), ("a1033826", [3: .integer(-39)]),
      ("a10339 0100", [3: .integer(-257)]), ("a12142abcd", [-2: .bytes([0xab, 0xcd])]),
      ("a1011a00010000", [1: .integer(65536)]),
      // Twice the same key, a longer form than needed, an indefinite length, and what ends too early.
      ("a201020103", nil), ("a1011802", nil), ("a101190017", nil), ("bf0102ff", nil), ("a1", nil),
      ("a101", nil), ("a121420f", nil), ("a12158ff00", nil), ("b1", nil),
      // A text, a list, a tag, a number with a point, 64 bits.
      ("a1016161", nil), ("a10180", nil), ("a1c001", nil), ("a101f93c00", nil),
      ("a1011b0000000100000000", nil), ("", nil),
    ] as [(String, [Int: CBORReader.Value]?)])
  func maps(hex: String, members: [Int: CBORReader.Value]?) {
    var reader = CBORReader(Self.bytes(hex.replacing(" ", with: ""))[...])
    #expect(reader.map() == members)
  }

  @Test("bytes of an authenticator that are cut anywhere are refused")
  func cuts() {
    let whole = Self.bytes(Vector.authenticatorData)
    for count in 0..<whole.count {
      #expect(AuthenticatorData(Array(whole.prefix(count))) == nil, "\(count) bytes")
    }
    #expect(AuthenticatorData(whole + [0]) == nil)
    var long = whole
    // 1,023 bytes of an id are read, and one more is not.
    long.replaceSubrange(
      53..<(55 + 32), with: [0x03, 0xff] + [UInt8](repeating: 1, count: 1023))
    #expect(AuthenticatorData(long)?.credential?.id.count == AuthenticatorData.idLimit)
    long.replaceSubrange(53..<55, with: [0x04, 0x00, 1])
    #expect(AuthenticatorData(long) == nil)
    let spare = [UInt8](repeating: 0, count: AuthenticatorData.maximumBytes - whole.count)
    var extended = whole + spare
    extended[32] |= 0x80
    #expect(AuthenticatorData(extended) != nil)
    #expect(AuthenticatorData(extended + [0]) == nil)
  }
}

extension Form {
  fileprivate func bytes(_ name: String) -> [UInt8] { Base64URL.decode(self[name] ?? "") ?? [] }
}

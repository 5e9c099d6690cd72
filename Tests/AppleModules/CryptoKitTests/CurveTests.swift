import CryptoKit
import Foundation
import Testing

@Suite("Keys on curves")
struct CurveTests {
  @Test(
    "keys of NIST's curves agree, sign and are written as Python's", arguments: Vectors.all.keys)
  func nist(vector: Vectors.Key) throws {
    switch vector.curve {
    case "P256": try check(P256.self)
    case "P384": try check(P384.self)
    default: try check(P521.self)
    }

    func check<C: NISTCurve>(_ curve: C.Type) throws {
      let (scalar, point) = (Data(hex: vector.scalar), Data(hex: vector.point))
      let compressed = Data(hex: vector.compressed)
      let key = try NISTSigning<C>.PrivateKey(rawRepresentation: scalar)
      let keys = [
        key, try .init(pemRepresentation: vector.pkcs8), try .init(pemRepresentation: vector.sec1),
        try .init(derRepresentation: key.derRepresentation),
        try .init(x963Representation: key.x963Representation),
      ]
      for key in keys {
        #expect(key.rawRepresentation == scalar && key.x963Representation == point + scalar)
        #expect(key.pemRepresentation == vector.pkcs8)
      }
      let publicKeys: [NISTSigning<C>.PublicKey] = [
        key.publicKey, try .init(x963Representation: point),
        try .init(rawRepresentation: point.dropFirst()),
        try .init(compressedRepresentation: compressed),
        try .init(pemRepresentation: vector.spki),
        try .init(derRepresentation: key.publicKey.derRepresentation),
      ]
      let message = Data(hex: vector.message)
      let made = try key.signature(for: message)
      let signatures: [NISTSigning<C>.ECDSASignature] = [
        try .init(derRepresentation: Data(hex: vector.signature)), made,
        try .init(rawRepresentation: made.rawRepresentation),
        try .init(derRepresentation: made.derRepresentation),
        try vector.rfc6979.map { try .init(rawRepresentation: Data(hex: $0)) } ?? made,
      ]
      for publicKey in publicKeys {
        #expect(publicKey.x963Representation == point && publicKey.pemRepresentation == vector.spki)
        #expect(publicKey.rawRepresentation == point.dropFirst())
        #expect(publicKey.compressedRepresentation == compressed)
        for signature in signatures {
          #expect(publicKey.isValidSignature(signature, for: message))
          #expect(!publicKey.isValidSignature(signature, for: message + [0]))
        }
      }
      let own = try NISTKeyAgreement<C>.PrivateKey(rawRepresentation: scalar)
      let peer = try NISTKeyAgreement<C>.PublicKey(x963Representation: Data(hex: vector.peer))
      let secret = try own.sharedSecretFromKeyAgreement(with: peer)
      #expect(secret.withUnsafeBytes { Data($0) } == Data(hex: vector.shared))
    }
  }

  @Test("new keys agree on a secret, and derive the same key of it")
  func agreement() throws {
    let (first, second) = (P384.KeyAgreement.PrivateKey(), P384.KeyAgreement.PrivateKey())
    let secrets = [
      try first.sharedSecretFromKeyAgreement(with: second.publicKey),
      try second.sharedSecretFromKeyAgreement(with: first.publicKey),
    ]
    #expect(secrets[0] == secrets[1])
    let keys = secrets.map {
      $0.hkdfDerivedSymmetricKey(
        using: SHA256.self, salt: Data("salt".utf8), sharedInfo: Data(), outputByteCount: 32)
    }
    #expect(keys[0] == keys[1] && keys[0].bitCount == 256)
  }

  @Test("what is no key is refused")
  func refused() throws {
    let point = Data(hex: try #require(Vectors.all.keys.first).point)
    var off = point
    off[64] ^= 1
    for wrong in [Data(), off, point.dropLast(), Data([6]) + point.dropFirst()] {
      #expect(throws: CryptoKitError.self) {
        try P256.KeyAgreement.PublicKey(x963Representation: wrong)
      }
    }
    let order = Data(
      hex: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    for wrong in [Data(count: 32), order, Data(count: 31)] {
      #expect(throws: CryptoKitError.self) {
        try P256.Signing.PrivateKey(rawRepresentation: wrong)
      }
    }
    for text in [
      "", "x", Vectors.all.keys[1].pkcs8, Vectors.all.keys[0].spki,
      "-----BEGIN PRIVATE KEY-----\n!\n-----END PRIVATE KEY-----",
    ] {
      #expect(throws: CryptoKitASN1Error.self) {
        try P256.Signing.PrivateKey(pemRepresentation: text)
      }
    }
    #expect(throws: CryptoKitASN1Error.self) {
      try P256.Signing.ECDSASignature(derRepresentation: Data(count: 70))
    }
    #expect(throws: CryptoKitError.incorrectParameterSize) {
      try P256.Signing.ECDSASignature(rawRepresentation: Data(count: 63))
    }
  }

  @Test("secrets of Curve25519 are those of RFC 7748 and Python", arguments: Vectors.all.agreement)
  func x25519(vector: Vectors.Agreement) throws {
    let key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: Data(hex: vector.secret))
    #expect(key.publicKey.rawRepresentation == Data(hex: vector.public))
    let peer = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: Data(hex: vector.peer))
    let secret = try key.sharedSecretFromKeyAgreement(with: peer)
    #expect(secret.withUnsafeBytes { Data($0) } == Data(hex: vector.shared))
    let zero = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: Data(count: 32))
    #expect(throws: CryptoKitError.self) { try key.sharedSecretFromKeyAgreement(with: zero) }
  }

  @Test("signatures of Ed25519 are those of RFC 8032 and Python", arguments: Vectors.all.signatures)
  func ed25519(vector: Vectors.Signature) throws {
    let key = try Curve25519.Signing.PrivateKey(rawRepresentation: Data(hex: vector.secret))
    let (message, signature) = (Data(hex: vector.message), Data(hex: vector.signature))
    #expect(key.publicKey.rawRepresentation == Data(hex: vector.public))
    #expect(key.rawRepresentation == Data(hex: vector.secret))
    #expect(try key.signature(for: message) == signature)
    let publicKey = try Curve25519.Signing.PublicKey(rawRepresentation: Data(hex: vector.public))
    #expect(publicKey.isValidSignature(signature, for: message))
    #expect(!publicKey.isValidSignature(signature, for: message + [0]))
    #expect(!publicKey.isValidSignature(signature.dropLast(), for: message))
    #expect(throws: CryptoKitError.incorrectKeySize) {
      try Curve25519.Signing.PublicKey(rawRepresentation: Data(count: 31))
    }
  }
}

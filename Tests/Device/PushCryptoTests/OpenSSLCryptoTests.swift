import Testing

@testable import PushCrypto
@testable import _OpenSSLCrypto

@Suite("OpenSSLCrypto")
struct OpenSSLCryptoTests {
  /// The order of the curve (SEC 2 section 2.4.2).
  private let order = hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")

  private func scalar(_ value: UInt8) -> [UInt8] { [UInt8](repeating: 0, count: 31) + [value] }

  @Test("two keys agree on one secret, also after a key was written and read")
  func agreement() throws {
    let (left, right) = try (provider.makeECDHKey(), provider.makeECDHKey())
    #expect(left.publicKey.count == 65)
    #expect(left.publicKey != right.publicKey)
    let secret = try left.sharedSecret(with: right.publicKey)
    #expect(secret.count == 32)
    #expect(try right.sharedSecret(with: left.publicKey) == secret)
    let again = try provider.ecdhKey(rawRepresentation: left.rawRepresentation)
    #expect(again.publicKey == left.publicKey)
    #expect(again.rawRepresentation == left.rawRepresentation)
    #expect(try again.sharedSecret(with: right.publicKey) == secret)
  }

  @Test("a private key has 32 bytes and is from 1 to the order minus 1")
  func privateKeyRange() throws {
    var last = order
    last[31] -= 1
    var next = order
    next[31] += 1
    for good in [scalar(1), scalar(2), last] {
      let key = try provider.ecdhKey(rawRepresentation: good)
      #expect(key.rawRepresentation == good)
      try provider.validate(ecdhPublicKey: key.publicKey)
    }
    let bad = [
      scalar(0), order, next, [UInt8](repeating: 0xFF, count: 32), [], Array(order.dropLast()),
      scalar(1) + [0],
    ]
    for bytes in bad {
      #expect(
        code { try provider.ecdhKey(rawRepresentation: bytes) } == .badKey
      )
    }
  }

  @Test("a public key must be an uncompressed point on the curve")
  func publicKeyForms() throws {
    let key = try provider.makeECDHKey()
    let point = try provider.makeECDHKey().publicKey
    let odd = point[64] & 1
    var offCurve = point
    offCurve[64] ^= 1
    let bad: [[UInt8]] = [
      [], [0], [4], Array(point.dropLast()), point + [0], offCurve,
      [2 + odd] + point[1..<33],  // compressed
      [6 + odd] + point[1...],  // hybrid, which OpenSSL accepts by itself
      [4] + [UInt8](repeating: 0, count: 64), [4] + [UInt8](repeating: 0xFF, count: 64),
    ]
    for bytes in bad {
      #expect(
        code { try provider.validate(ecdhPublicKey: bytes) } == .badKey)
      #expect(code { try key.sharedSecret(with: bytes) } == .badKey)
    }
    try provider.validate(ecdhPublicKey: point)
  }

  /// McGrew and Viega, "The Galois/Counter Mode of Operation", test cases 1, 2 and 3.
  @Test("AES-128-GCM gives the published results")
  func aes() throws {
    let zero = [UInt8](repeating: 0, count: 16)
    let nonce = Array(zero.prefix(12))
    #expect(
      try provider.sealAES128GCM([], key: zero, nonce: nonce)
        == hex("58e2fccefa7e3061367f1d57a4e7455a"))
    #expect(
      try provider.sealAES128GCM(zero, key: zero, nonce: nonce)
        == hex("0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf"))
    let plaintext = hex(
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
        + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255")
    let (key, iv) = (hex("feffe9928665731c6d6a8f9467308308"), hex("cafebabefacedbaddecaf888"))
    let sealed = try provider.sealAES128GCM(plaintext, key: key, nonce: iv)
    #expect(
      sealed
        == hex(
          "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
            + "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985"
            + "4d5c2af327cd64a62cf35abd2ba6fab4"))
    #expect(try provider.openAES128GCM(sealed, key: key, nonce: iv) == plaintext)
    #expect(
      try provider.openAES128GCM(hex("58e2fccefa7e3061367f1d57a4e7455a"), key: zero, nonce: nonce)
        == [])
  }

  @Test("AES-128-GCM refuses keys, nonces and ciphertexts of other lengths")
  func aesLengths() {
    let key = [UInt8](repeating: 1, count: 16)
    let nonce = Array(key.prefix(12))
    for (key, nonce) in [([], nonce), (key + key, nonce), (key, []), (key, key)] {
      #expect(
        code { try provider.sealAES128GCM([1], key: key, nonce: nonce) }
          == .failed)
      #expect(
        code {
          try provider.openAES128GCM([UInt8](repeating: 0, count: 17), key: key, nonce: nonce)
        } == .failed)
    }
    for count in 0..<16 {
      let short = [UInt8](repeating: 0, count: count)
      #expect(
        code { try provider.openAES128GCM(short, key: key, nonce: nonce) }
          == .malformed)
    }
  }

  /// RFC 5869 appendix A, cases 1 to 3, whose output begins with T(1).
  @Test(
    "HKDF gives the results of its RFC",
    arguments: [
      (
        String(repeating: "0b", count: 22), "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9",
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"
      ),
      (
        (0...0x4f).map { HKDFCase.hex($0) }.joined(),
        (0x60...0xaf).map { HKDFCase.hex($0) }.joined(),
        (0xb0...0xff).map { HKDFCase.hex($0) }.joined(),
        "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
      ),
      (
        String(repeating: "0b", count: 22), "", "",
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
      ),
    ])
  func hkdf(keyingMaterial: String, salt: String, info: String, expected: String) {
    let derivation = HKDF(salt: hex(salt), keyingMaterial: hex(keyingMaterial), provider: provider)
    #expect(derivation.expand(info: hex(info), count: 32) == hex(expected))
    #expect(derivation.expand(info: hex(info), count: 12) == hex(String(expected.prefix(24))))
  }

  private enum HKDFCase {
    static func hex(_ byte: Int) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
  }

  @Test("a digest does not depend on how its bytes were split, and copies are independent")
  func incrementalHash() {
    // FIPS 180-2 appendix B.1, and the digest of no bytes.
    var hash = provider.makeSHA256()
    #expect(
      hash.finalize() == hex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"))
    hash.update(Array("a".utf8))
    let a = hash
    hash.update([])
    hash.update(Array("bc".utf8))
    let abc = hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(hash.finalize() == abc)
    #expect(hash.finalize() == abc)
    #expect(a.finalize() == OpenSSLCrypto.sha256(Array("a".utf8)))
    let long = bytes(10_000)
    for piece in [1, 63, 64, 65, 4096] {
      var hash = provider.makeSHA256()
      for start in stride(from: 0, to: long.count, by: piece) {
        hash.update(Array(long[start..<min(start + piece, long.count)]))
      }
      #expect(hash.finalize() == OpenSSLCrypto.sha256(long))
    }
  }
}

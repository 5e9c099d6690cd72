@testable import CryptoKit
import Foundation
import Testing

@Suite("Hash functions, HMAC and HKDF")
struct HashTests {
  @Test("the digests of `abc` are those of FIPS 180-4 and RFC 1321")
  func digests() {
    let data = Data("abc".utf8)
    #expect(
      SHA256.hash(data: data).description
        == "SHA256 digest: ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      SHA384.hash(data: data)
        == Data(
          hex: "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
            + "8086072ba1e7cc2358baeca134c825a7"))
    #expect(
      SHA512.hash(data: data)
        == Data(
          hex: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"))
    #expect(
      Insecure.SHA1.hash(data: data) == Data(hex: "a9993e364706816aba3e25717850c26c9cd0d89d"))
    #expect(Insecure.MD5.hash(data: data) == Data(hex: "900150983cd24fb0d6963f7d28e17f72"))
    #expect(SHA256.byteCount == 32 && SHA512.blockByteCount == 128)
    #expect(SHA256.hash(data: data) != Data(count: 32))
  }

  @Test("a copy of a hash continues on its own")
  func copies() {
    var first = SHA256()
    first.update(data: Data("a".utf8))
    var second = first
    second.update(data: Data("b".utf8))
    first.update(data: Data("bc".utf8))
    second.update(data: Data("c".utf8))
    #expect(first.finalize() == second.finalize())
    #expect(first.finalize() == SHA256.hash(data: Data("abc".utf8)))
  }

  @Test("codes are those of RFC 4231", arguments: Vectors.all.macs)
  func macs(vector: Vectors.MAC) {
    let key = SymmetricKey(data: Data(hex: vector.key))
    let (message, code) = (Data(hex: vector.message), Data(hex: vector.code))
    switch vector.hash {
    case "sha256": check(HMAC<SHA256>.self)
    case "sha384": check(HMAC<SHA384>.self)
    default: check(HMAC<SHA512>.self)
    }

    func check<H>(_ type: HMAC<H>.Type) {
      #expect(Data(type.authenticationCode(for: message, using: key)) == code)
      #expect(type.isValidAuthenticationCode(code, authenticating: message, using: key))
      #expect(!type.isValidAuthenticationCode(code, authenticating: message + [0], using: key))
      #expect(
        !type.isValidAuthenticationCode(code.dropLast(), authenticating: message, using: key))
    }
  }

  @Test("derived keys are those of RFC 5869 and Python", arguments: Vectors.all.derivations)
  func derivations(vector: Vectors.Derivation) {
    switch vector.hash {
    case "sha256": check(HKDF<SHA256>.self)
    case "sha384": check(HKDF<SHA384>.self)
    default: check(HKDF<SHA512>.self)
    }

    func check<H>(_ type: HKDF<H>.Type) {
      let expected = Data(hex: vector.key)
      let key = type.deriveKey(
        inputKeyMaterial: SymmetricKey(data: Data(hex: vector.secret)),
        salt: Data(hex: vector.salt), info: Data(hex: vector.info),
        outputByteCount: expected.count)
      #expect(key == SymmetricKey(data: expected) && key.bitCount == expected.count * 8)
    }
  }

  @Test("keys of X9.63 are Python's", arguments: Vectors.all.x963)
  func x963(vector: Vectors.X963) throws {
    let expected = Data(hex: vector.key)
    let key: SymmetricKey
    let secret = SharedSecret(Array(Data(hex: vector.secret)))
    let info = Data(hex: vector.info)
    switch vector.hash {
    case "sha256":
      key = secret.x963DerivedSymmetricKey(
        using: SHA256.self, sharedInfo: info, outputByteCount: expected.count)
    case "sha384":
      key = secret.x963DerivedSymmetricKey(
        using: SHA384.self, sharedInfo: info, outputByteCount: expected.count)
    default:
      key = secret.x963DerivedSymmetricKey(
        using: SHA512.self, sharedInfo: info, outputByteCount: expected.count)
    }
    #expect(key.withUnsafeBytes { Data($0) } == expected)
  }

  @Test("a random key has its size")
  func keys() {
    #expect(SymmetricKey(size: .bits192).bitCount == 192)
    #expect(SymmetricKey(size: .bits256) != SymmetricKey(size: .bits256))
    #expect(SymmetricKey(size: SymmetricKeySize(bitCount: 8)).bitCount == 8)
  }
}

import CommonCrypto
import Foundation
import Testing

@Suite("CommonCrypto's digests, HMAC and PBKDF2")
struct DigestTests {
  typealias OneShot =
    (UnsafeRawPointer?, CC_LONG, UnsafeMutablePointer<UInt8>?) -> UnsafeMutablePointer<UInt8>?

  private static func oneShot(_ hash: String) -> OneShot {
    switch hash {
    case "md5": CC_MD5
    case "sha1": CC_SHA1
    case "sha224": CC_SHA224
    case "sha256": CC_SHA256
    case "sha384": CC_SHA384
    default: CC_SHA512
    }
  }

  /// A digest in steps, of the message in two parts.
  private static func inSteps(_ hash: String, _ message: [UInt8]) -> [UInt8] {
    let (first, rest) = (Array(message.prefix(1)), Array(message.dropFirst()))
    let (count, restCount) = (CC_LONG(first.count), CC_LONG(rest.count))
    var digest = [UInt8](repeating: 0, count: 64)
    var done: [Int32] = []
    switch hash {
    case "md5":
      var context = CC_MD5_CTX()
      done = [
        CC_MD5_Init(&context), CC_MD5_Update(&context, first, count),
        CC_MD5_Update(&context, rest, restCount), CC_MD5_Final(&digest, &context),
      ]
      digest = Array(digest.prefix(Int(CC_MD5_DIGEST_LENGTH)))
    case "sha1":
      var context = CC_SHA1_CTX()
      done = [
        CC_SHA1_Init(&context), CC_SHA1_Update(&context, first, count),
        CC_SHA1_Update(&context, rest, restCount), CC_SHA1_Final(&digest, &context),
      ]
      digest = Array(digest.prefix(Int(CC_SHA1_DIGEST_LENGTH)))
    case "sha224":
      var context = CC_SHA256_CTX()
      done = [
        CC_SHA224_Init(&context), CC_SHA224_Update(&context, first, count),
        CC_SHA224_Update(&context, rest, restCount), CC_SHA224_Final(&digest, &context),
      ]
      digest = Array(digest.prefix(Int(CC_SHA224_DIGEST_LENGTH)))
    case "sha256":
      var context = CC_SHA256_CTX()
      done = [
        CC_SHA256_Init(&context), CC_SHA256_Update(&context, first, count),
        CC_SHA256_Update(&context, rest, restCount), CC_SHA256_Final(&digest, &context),
      ]
      digest = Array(digest.prefix(Int(CC_SHA256_DIGEST_LENGTH)))
    case "sha384":
      var context = CC_SHA512_CTX()
      done = [
        CC_SHA384_Init(&context), CC_SHA384_Update(&context, first, count),
        CC_SHA384_Update(&context, rest, restCount), CC_SHA384_Final(&digest, &context),
      ]
      digest = Array(digest.prefix(Int(CC_SHA384_DIGEST_LENGTH)))
    default:
      var context = CC_SHA512_CTX()
      done = [
        CC_SHA512_Init(&context), CC_SHA512_Update(&context, first, count),
        CC_SHA512_Update(&context, rest, restCount), CC_SHA512_Final(&digest, &context),
      ]
    }
    #expect(done == [1, 1, 1, 1])
    return digest
  }

  @Test("digests are those of the RFCs and of NIST", arguments: Vectors.all.digests)
  func digests(vector: Vectors.Digest) {
    let (message, expected) = ([UInt8](hex: vector.message), [UInt8](hex: vector.digest))
    var digest = [UInt8](repeating: 0, count: expected.count)
    #expect(Self.oneShot(vector.hash)(message, CC_LONG(message.count), &digest) != nil)
    #expect(digest == expected)
    #expect(Self.inSteps(vector.hash, message) == expected)
  }

  @Test("a copy of a state continues on its own, and an ended one gives nothing")
  func copies() {
    var first = CC_SHA256_CTX()
    CC_SHA256_Init(&first)
    CC_SHA256_Update(&first, "a", 1)
    var second = first
    CC_SHA256_Update(&first, "b", 1)
    CC_SHA256_Update(&second, "b", 1)
    var (one, two) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
    #expect(CC_SHA256_Final(&one, &first) == 1 && CC_SHA256_Final(&two, &second) == 1)
    #expect(one == two && one != [UInt8](repeating: 0, count: 32))
    #expect(CC_SHA256_Final(&one, &first) == 0 && CC_SHA256_Init(nil) == 0)
    #expect(CC_SHA256("a", 1, nil) == nil)
  }

  @Test("codes are those of RFC 2202 and RFC 4231", arguments: Vectors.all.macs)
  func macs(vector: Vectors.MAC) throws {
    let names = ["sha1", "md5", "sha256", "sha384", "sha512", "sha224"]
    let algorithm = CCHmacAlgorithm(try #require(names.firstIndex(of: vector.hash)))
    let (key, message) = ([UInt8](hex: vector.key), [UInt8](hex: vector.message))
    let expected = [UInt8](hex: vector.code)
    var code = [UInt8](repeating: 0, count: expected.count)
    CCHmac(algorithm, key, key.count, message, message.count, &code)
    #expect(code == expected)
    var context = CCHmacContext()
    CCHmacInit(&context, algorithm, key, key.count)
    for byte in message { CCHmacUpdate(&context, [byte], 1) }
    code = [UInt8](repeating: 0, count: expected.count)
    CCHmacFinal(&context, &code)
    #expect(code == expected)
  }

  @Test("derived keys are those of RFC 6070 and RFC 7914", arguments: Vectors.all.keys)
  func keys(vector: Vectors.Key) throws {
    let functions = [
      "sha1": kCCPRFHmacAlgSHA1, "sha224": kCCPRFHmacAlgSHA224, "sha256": kCCPRFHmacAlgSHA256,
      "sha384": kCCPRFHmacAlgSHA384, "sha512": kCCPRFHmacAlgSHA512,
    ]
    let function = CCPseudoRandomAlgorithm(try #require(functions[vector.hash]))
    let password = [UInt8](hex: vector.password).map { CChar(bitPattern: $0) }
    let (salt, expected) = ([UInt8](hex: vector.salt), [UInt8](hex: vector.key))
    var key = [UInt8](repeating: 0, count: expected.count)
    func derive(_ rounds: UInt32, count: Int, _ function: CCPseudoRandomAlgorithm) -> Int32 {
      CCKeyDerivationPBKDF(
        CCPBKDFAlgorithm(kCCPBKDF2), password, password.count, salt, salt.count, function, rounds,
        &key, count)
    }
    #expect(derive(vector.rounds, count: key.count, function) == kCCSuccess && key == expected)
    #expect(derive(0, count: key.count, function) == kCCParamError)
    #expect(derive(1, count: 0, function) == kCCParamError)
    #expect(derive(1, count: key.count, 0) == kCCParamError)
    #expect(derive(1, count: key.count, 6) == kCCParamError)
  }

  @Test("random bytes differ")
  func random() {
    var (one, two) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
    #expect(CCRandomGenerateBytes(&one, 32) == kCCSuccess)
    #expect(CCRandomGenerateBytes(&two, 32) == kCCSuccess && one != two)
    #expect(CCRandomGenerateBytes(nil, 32) == kCCParamError)
  }
}

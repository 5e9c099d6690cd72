import CommonCrypto
import Foundation
import Testing

// The code is our own, in the forms of published extensions: a digest for a file's name, and a body that was encrypted
// with
// AES-CBC and comes in Base64 with its initialization vector.

extension String {
  fileprivate var md5: String {
    let data = Data(utf8)
    var digest = [UInt8](repeating: 0, count: Int(CC_MD5_DIGEST_LENGTH))
    _ = data.withUnsafeBytes { CC_MD5($0.baseAddress, CC_LONG(data.count), &digest) }
    return digest.map { String(format: "%02x", $0) }.joined()
  }
}

extension Data {
  fileprivate func aes256(_ operation: Int, key: Data, iv: Data) -> Data? {
    let size = count + kCCBlockSizeAES128
    var output = Data(count: size)
    var moved = 0
    let status = output.withUnsafeMutableBytes { outputBytes in
      withUnsafeBytes { inputBytes in
        iv.withUnsafeBytes { ivBytes in
          key.withUnsafeBytes { keyBytes in
            CCCrypt(
              CCOperation(operation), CCAlgorithm(kCCAlgorithmAES),
              CCOptions(kCCOptionPKCS7Padding), keyBytes.baseAddress, key.count,
              ivBytes.baseAddress, inputBytes.baseAddress, count, outputBytes.baseAddress, size,
              &moved)
          }
        }
      }
    }
    guard status == kCCSuccess else { return nil }
    output.count = moved
    return output
  }
}

@Suite("Code of published extensions with CommonCrypto")
struct PublishedCommonCryptoTests {
  @Test("a digest names a file")
  func fileName() {
    #expect("abc".md5 == "900150983cd24fb0d6963f7d28e17f72")
    var buffer = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
    let pointer = UnsafeMutablePointer<CC_SHA256_CTX>.allocate(capacity: 1)
    CC_SHA256_Init(pointer)
    CC_SHA256_Update(pointer, "abc", 3)
    CC_SHA256_Final(&buffer, pointer)
    pointer.deallocate()
    #expect(buffer.prefix(4) == [0xBA, 0x78, 0x16, 0xBF])
  }

  @Test("a body is decrypted, and a wrong key is noticed by its text")
  func body() throws {
    let (key, iv) = (Data(repeating: 3, count: 32), Data(repeating: 5, count: 16))
    let sealed = try #require(Data("Hello".utf8).aes256(kCCEncrypt, key: key, iv: iv))
    #expect(sealed.aes256(kCCDecrypt, key: key, iv: iv) == Data("Hello".utf8))
    let wrong = sealed.aes256(kCCDecrypt, key: Data(repeating: 4, count: 32), iv: iv)
    #expect(wrong != nil && wrong != Data("Hello".utf8))
    #expect(sealed.aes256(kCCDecrypt, key: key.dropLast(), iv: iv) == nil)
  }

  @Test("a key is derived from a password")
  func password() {
    let password = "passwd"
    let salt = Array("salt".utf8)
    var key = [UInt8](repeating: 0, count: kCCKeySizeAES256)
    let status = CCKeyDerivationPBKDF(
      CCPBKDFAlgorithm(kCCPBKDF2), password, password.utf8.count, salt, salt.count,
      CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256), 1, &key, key.count)
    #expect(Int(status) == kCCSuccess && key.prefix(4) == [0x55, 0xAC, 0x04, 0x6E])
  }
}

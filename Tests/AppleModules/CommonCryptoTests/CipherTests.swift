import CommonCrypto
import Foundation
import Testing

@Suite("CommonCrypto's AES")
struct CipherTests {
  /// Encrypts or decrypts in one step, with memory of a given size.
  private func crypt(
    _ operation: Int, _ input: [UInt8], key: [UInt8], iv: [UInt8]?, options: Int,
    available: Int? = nil
  ) -> (status: Int, output: [UInt8], moved: Int) {
    var output = [UInt8](repeating: 0, count: available ?? input.count + kCCBlockSizeAES128)
    var moved = -1
    let status = CCCrypt(
      CCOperation(operation), CCAlgorithm(kCCAlgorithmAES), CCOptions(options), key, key.count, iv,
      input, input.count, &output, output.count, &moved)
    return (Int(status), Array(output.prefix(max(0, min(moved, output.count)))), moved)
  }

  /// Encrypts or decrypts byte by byte.
  private func cryptInSteps(_ operation: Int, _ input: [UInt8], _ vector: Vectors.Text) throws
    -> [UInt8]
  {
    let modes = ["ecb": kCCModeECB, "cbc": kCCModeCBC, "ctr": kCCModeCTR]
    let key = [UInt8](hex: vector.key)
    var reference: CCCryptorRef?
    #expect(
      CCCryptorCreateWithMode(
        CCOperation(operation), CCMode(try #require(modes[vector.mode])),
        CCAlgorithm(kCCAlgorithmAES), CCPadding(vector.padding ? ccPKCS7Padding : ccNoPadding),
        [UInt8](hex: vector.iv), key, key.count, nil, 0, 0, 0, &reference) == kCCSuccess)
    defer { CCCryptorRelease(reference) }
    var output: [UInt8] = []
    for _ in 0..<2 {  // Once more after a reset.
      output = []
      let length = CCCryptorGetOutputLength(reference, input.count, true)
      var piece = [UInt8](repeating: 0, count: 32)
      var moved = 0
      for byte in input {
        #expect(CCCryptorUpdate(reference, [byte], 1, &piece, 32, &moved) == kCCSuccess)
        output += piece.prefix(moved)
      }
      #expect(CCCryptorFinal(reference, &piece, 32, &moved) == kCCSuccess)
      output += piece.prefix(moved)
      #expect(output.count <= length)
      #expect(CCCryptorReset(reference, [UInt8](hex: vector.iv)) == kCCSuccess)
    }
    return output
  }

  @Test("texts are those of NIST SP 800-38A", arguments: Vectors.all.ciphers)
  func vectors(vector: Vectors.Text) throws {
    let (text, ciphertext) = ([UInt8](hex: vector.text), [UInt8](hex: vector.ciphertext))
    #expect(try cryptInSteps(kCCEncrypt, text, vector) == ciphertext)
    #expect(try cryptInSteps(kCCDecrypt, ciphertext, vector) == text)
    guard vector.mode != "ctr" else { return }
    let options =
      (vector.mode == "ecb" ? kCCOptionECBMode : 0) | (vector.padding ? kCCOptionPKCS7Padding : 0)
    let (key, iv) = ([UInt8](hex: vector.key), [UInt8](hex: vector.iv))
    let sealed = crypt(kCCEncrypt, text, key: key, iv: iv, options: options)
    #expect(sealed.status == kCCSuccess && sealed.output == ciphertext)
    let opened = crypt(kCCDecrypt, ciphertext, key: key, iv: iv, options: options)
    #expect(opened.status == kCCSuccess && opened.output == text)
  }

  static let key = [UInt8](repeating: 7, count: 16)

  @Test("the memory must have room for the whole output, and its length is said")
  func room() {
    let text = [UInt8](repeating: 1, count: 16)
    let exact = crypt(
      kCCEncrypt, text, key: Self.key, iv: nil, options: kCCOptionPKCS7Padding, available: 32)
    #expect(exact.status == kCCSuccess && exact.moved == 32)
    let short = crypt(
      kCCEncrypt, text, key: Self.key, iv: nil, options: kCCOptionPKCS7Padding, available: 31)
    #expect(short.status == kCCBufferTooSmall && short.moved == 32)
    // Apple's library wants room for the padding too, although it is removed.
    let opened = crypt(
      kCCDecrypt, exact.output, key: Self.key, iv: nil, options: kCCOptionPKCS7Padding,
      available: 31)
    #expect(opened.status == kCCBufferTooSmall && opened.moved == 32)
  }

  @Test("the last step can be repeated after one for which the memory had no room")
  func repeatedEnd() {
    let text = [UInt8](repeating: 1, count: 20)
    var reference: CCCryptorRef?
    unsafe CCCryptorCreate(
      CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmAES), CCOptions(kCCOptionPKCS7Padding),
      Self.key, Self.key.count, nil, &reference)
    defer { unsafe CCCryptorRelease(reference) }
    var output = [UInt8](repeating: 0, count: 32)
    var moved = 0
    unsafe CCCryptorUpdate(reference, text, text.count, &output, 32, &moved)
    let first = Array(output.prefix(moved))
    let refused = unsafe CCCryptorFinal(reference, nil, 0, &moved)
    #expect(refused == kCCBufferTooSmall)
    #expect(unsafe CCCryptorFinal(reference, &output, 32, &moved) == kCCSuccess)
    let whole = crypt(kCCEncrypt, text, key: Self.key, iv: nil, options: kCCOptionPKCS7Padding)
    #expect(first + output.prefix(moved) == whole.output)
  }

  @Test("an input that is no whole number of blocks is refused", arguments: [1, 15, 17])
  func alignment(count: Int) {
    let input = [UInt8](repeating: 1, count: count)
    #expect(
      crypt(kCCEncrypt, input, key: Self.key, iv: nil, options: 0).status == kCCAlignmentError)
    #expect(
      crypt(kCCDecrypt, input, key: Self.key, iv: nil, options: kCCOptionPKCS7Padding).status
        == kCCAlignmentError)
  }

  @Test("a block with invalid padding is removed without an error, as by Apple's library")
  func padding() {
    let text = [UInt8](repeating: 0, count: 32)
    let sealed = crypt(kCCEncrypt, text, key: Self.key, iv: nil, options: 0).output
    let opened = crypt(
      kCCDecrypt, sealed, key: Self.key, iv: nil, options: kCCOptionPKCS7Padding)
    #expect(opened.status == kCCSuccess && opened.output == Array(text.prefix(16)))
  }

  @Test("a key has 16, 24 or 32 bytes", arguments: [0, 15, 16, 17, 24, 31, 32, 33])
  func keySizes(count: Int) {
    let key = [UInt8](repeating: 1, count: count)
    let status = crypt(kCCEncrypt, [], key: key, iv: nil, options: kCCOptionPKCS7Padding).status
    #expect(status == ([16, 24, 32].contains(count) ? kCCSuccess : kCCKeySizeError))
  }

  @Test("wrong parameters and other ciphers are refused")
  func refusals() {
    var moved = 0
    var reference: CCCryptorRef?
    func create(_ operation: Int, _ algorithm: Int, mode: Int = kCCModeCBC) -> Int {
      Int(
        CCCryptorCreateWithMode(
          CCOperation(operation), CCMode(mode), CCAlgorithm(algorithm), CCPadding(ccNoPadding),
          nil, Self.key, Self.key.count, nil, 0, 0, 0, &reference))
    }
    #expect(create(kCCEncrypt, kCCAlgorithm3DES) == kCCUnimplemented && reference == nil)
    #expect(create(kCCEncrypt, kCCAlgorithmAES, mode: kCCModeCFB) == kCCUnimplemented)
    #expect(create(2, kCCAlgorithmAES) == kCCParamError)
    #expect(
      CCCrypt(0, 0, 0, nil, 16, nil, nil, 0, nil, 0, &moved) == kCCParamError)
    #expect(CCCrypt(0, 0, 0, Self.key, 16, nil, nil, -1, nil, 0, &moved) == kCCParamError)
    #expect(CCCryptorUpdate(nil, nil, 0, nil, 0, &moved) == kCCParamError)
    #expect(create(kCCEncrypt, kCCAlgorithmAES) == kCCSuccess)
    #expect(CCCryptorUpdate(reference, nil, -17, nil, 0, &moved) == kCCParamError)
    #expect(CCCryptorRelease(reference) == kCCSuccess)
    #expect(CCCryptorReset(nil, nil) == kCCParamError)
    #expect(CCCryptorRelease(nil) == kCCSuccess && CCCryptorFinal(nil, nil, 0, nil) == kCCSuccess)
  }
}

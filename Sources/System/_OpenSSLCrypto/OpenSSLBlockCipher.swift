import COpenSSL

/// AES in a mode that does not authenticate, without padding (NIST SP 800-38A).
///
/// Only one thread may use an object.
@safe package final class OpenSSLBlockCipher {
  /// A mode of operation.
  package enum Mode: Sendable {
    case ecb, cbc, ctr
  }

  /// The length of a block in bytes.
  package static let blockByteCount = 16

  private let context: OpaquePointer

  /// Makes a cipher; `nil` if the key is not of 16, 24 or 32 bytes, or the initialization vector not of a block.
  package init?(_ mode: Mode, key: [UInt8], iv: [UInt8], encrypts: Bool) {
    guard iv.count == Self.blockByteCount, let context = unsafe EVP_CIPHER_CTX_new() else {
      return nil
    }
    guard let algorithm = unsafe Self.algorithm(mode, keyLength: key.count),
      unsafe EVP_CipherInit_ex(context, algorithm, nil, key, iv, encrypts ? 1 : 0) == 1,
      unsafe EVP_CIPHER_CTX_set_padding(context, 0) == 1
    else {
      unsafe EVP_CIPHER_CTX_free(context)
      ERR_clear_error()
      return nil
    }
    unsafe self.context = unsafe context
  }

  deinit { unsafe EVP_CIPHER_CTX_free(context) }

  /// Encrypts or decrypts whole blocks; in the mode ``Mode/ctr`` any number of bytes.
  package func update(_ bytes: [UInt8]) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: bytes.count)
    var start = 0
    while start < bytes.count {
      // OpenSSL's lengths are 32-bit integers.
      let count = min(bytes.count - start, 1 << 30)
      var written: Int32 = 0
      let done = unsafe bytes.withUnsafeBufferPointer { input in
        unsafe output.withUnsafeMutableBufferPointer { output in
          guard let to = output.baseAddress, let from = input.baseAddress else { return Int32(0) }
          return unsafe EVP_CipherUpdate(
            context, to + start, &written, from + start, Int32(count))
        }
      }
      precondition(done == 1 && Int(written) == count, "the bytes are no whole blocks")
      start += count
    }
    return output
  }

  private static func algorithm(_ mode: Mode, keyLength: Int) -> OpaquePointer? {
    switch (mode, keyLength) {
    case (.ecb, 16): unsafe EVP_aes_128_ecb()
    case (.ecb, 24): unsafe EVP_aes_192_ecb()
    case (.ecb, 32): unsafe EVP_aes_256_ecb()
    case (.cbc, 16): unsafe EVP_aes_128_cbc()
    case (.cbc, 24): unsafe EVP_aes_192_cbc()
    case (.cbc, 32): unsafe EVP_aes_256_cbc()
    case (.ctr, 16): unsafe EVP_aes_128_ctr()
    case (.ctr, 24): unsafe EVP_aes_192_ctr()
    case (.ctr, 32): unsafe EVP_aes_256_ctr()
    default: nil
    }
  }
}

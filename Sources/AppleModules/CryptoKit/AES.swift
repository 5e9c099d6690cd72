public import Foundation
import _OpenSSLCrypto

/// Apple's `AES`, the cipher, with the mode GCM only.
///
/// Source: Apple, `AES`.
public enum AES {
  /// Apple's `AES.GCM`, encryption with authentication (NIST SP 800-38D).
  ///
  /// Source: Apple, `AES.GCM`.
  public enum GCM: AuthenticatedCipher {
    /// A value that is used once with a key, of at least 12 bytes.
    public typealias Nonce = CipherNonce<GCM>
    /// Encrypted bytes with their nonce and tag.
    public typealias SealedBox = CipherBox<GCM>
    /// The cipher, with a key of 128, 192 or 256 bits.
    public static var parameters: CipherParameters {
      .init(cipher: .aesGCM, keySizes: [128, 192, 256], nonceSizes: 12...Int.max)
    }
  }
}

extension CipherBox where Cipher == AES.GCM {
  /// The nonce, the ciphertext and the tag, in this order; `nil` if the nonce does not have 12 bytes.
  public var combined: Data? { nonce.value.count == 12 ? parts : nil }
}

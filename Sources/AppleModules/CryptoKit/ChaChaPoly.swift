public import Foundation
import _OpenSSLCrypto

/// Apple's `ChaChaPoly`, encryption with authentication by ChaCha20 and Poly1305 (RFC 8439).
///
/// Source: Apple, `ChaChaPoly`.
public enum ChaChaPoly: AuthenticatedCipher {
  /// A value that is used once with a key, of 12 bytes.
  public typealias Nonce = CipherNonce<ChaChaPoly>
  /// Encrypted bytes with their nonce and tag.
  public typealias SealedBox = CipherBox<ChaChaPoly>
  /// The cipher, with a key of 256 bits.
  public static var parameters: CipherParameters {
    .init(cipher: .chaChaPoly, keySizes: [256], nonceSizes: 12...12)
  }
}

extension CipherBox where Cipher == ChaChaPoly {
  /// The nonce, the ciphertext and the tag, in this order.
  public var combined: Data { parts }
}

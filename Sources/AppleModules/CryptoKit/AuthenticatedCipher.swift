public import Foundation
package import _OpenSSLCrypto

/// A cipher that encrypts and authenticates: ``AES/GCM`` or ``ChaChaPoly``.
///
/// Only the ciphers of this module conform to it.
public protocol AuthenticatedCipher: Sendable {
  /// The parameters of the cipher.
  static var parameters: CipherParameters { get }
}

/// The parameters of a cipher, which only this module creates.
public struct CipherParameters: Sendable {
  package let cipher: OpenSSLCipher
  /// The lengths of keys, in bits.
  package let keySizes: [Int]
  /// The lengths of nonces, in bytes.
  package let nonceSizes: ClosedRange<Int>
}

extension AuthenticatedCipher {
  /// Encrypts a message, and authenticates it with other data.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - key: 256 bits; for AES-GCM also 128 or 192.
  ///   - nonce: The nonce; `nil` for a random one.
  ///   - authenticatedData: The other data.
  /// - Returns: The box.
  /// - Throws: ``CryptoKitError/incorrectKeySize`` for another key.
  public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
    _ message: Plaintext, using key: SymmetricKey, nonce: CipherNonce<Self>? = nil,
    authenticating authenticatedData: AuthenticatedData
  ) throws -> CipherBox<Self> {
    let nonce = nonce ?? CipherNonce()
    guard
      let sealed = parameters.cipher.seal(
        Array(message), key: key.bytes, nonce: nonce.value,
        authenticating: Array(authenticatedData))
    else { throw CryptoKitError.incorrectKeySize }
    return try CipherBox(nonce: nonce, ciphertext: sealed.ciphertext, tag: sealed.tag)
  }

  /// Encrypts a message.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - key: 256 bits; for AES-GCM also 128 or 192.
  ///   - nonce: The nonce; `nil` for a random one.
  /// - Returns: The box.
  /// - Throws: ``CryptoKitError/incorrectKeySize`` for another key.
  public static func seal<Plaintext: DataProtocol>(
    _ message: Plaintext, using key: SymmetricKey, nonce: CipherNonce<Self>? = nil
  ) throws -> CipherBox<Self> {
    try seal(message, using: key, nonce: nonce, authenticating: [UInt8]())
  }

  /// Decrypts a box that was authenticated with other data.
  ///
  /// - Parameters:
  ///   - sealedBox: The box.
  ///   - key: The key.
  ///   - authenticatedData: The other data.
  /// - Returns: The message.
  /// - Throws: ``CryptoKitError/authenticationFailure`` if the box was encrypted with another key or other data, or was
  ///   changed; ``CryptoKitError/incorrectKeySize`` for a key of another length.
  public static func open<AuthenticatedData: DataProtocol>(
    _ sealedBox: CipherBox<Self>, using key: SymmetricKey,
    authenticating authenticatedData: AuthenticatedData
  ) throws -> Data {
    guard parameters.keySizes.contains(key.bitCount) else { throw CryptoKitError.incorrectKeySize }
    guard
      let message = parameters.cipher.open(
        Array(sealedBox.ciphertext), tag: Array(sealedBox.tag), key: key.bytes,
        nonce: sealedBox.nonce.value, authenticating: Array(authenticatedData))
    else { throw CryptoKitError.authenticationFailure }
    return Data(message)
  }

  /// Decrypts a box.
  ///
  /// - Parameters:
  ///   - sealedBox: The box.
  ///   - key: The key.
  /// - Returns: The message.
  /// - Throws: ``CryptoKitError/authenticationFailure`` if the box was encrypted with another key, or was changed;
  ///   ``CryptoKitError/incorrectKeySize`` for a key of another length.
  public static func open(_ sealedBox: CipherBox<Self>, using key: SymmetricKey) throws -> Data {
    try open(sealedBox, using: key, authenticating: [UInt8]())
  }
}

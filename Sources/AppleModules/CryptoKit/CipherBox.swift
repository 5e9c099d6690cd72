public import Foundation
import _OpenSSLCrypto

// On Apple's systems, each cipher has structures of its own.

/// Apple's `AES.GCM.Nonce` and `ChaChaPoly.Nonce`, a value that is used once with a key.
///
/// Source: Apple, `AES.GCM.Nonce`.
public struct CipherNonce<Cipher: AuthenticatedCipher>: ContiguousBytes, Sendable, Sequence {
  let value: [UInt8]

  /// Makes a random nonce of 12 bytes.
  public init() { value = OpenSSLCrypto.randomBytes(12) }

  /// Creates a nonce.
  ///
  /// - Parameter data: 12 bytes; for AES-GCM also more.
  /// - Throws: ``CryptoKitError/incorrectParameterSize`` for another length.
  public init<D: DataProtocol>(data: D) throws {
    guard Cipher.parameters.nonceSizes.contains(data.count) else {
      throw CryptoKitError.incorrectParameterSize
    }
    value = Array(data)
  }

  /// Calls a closure with the bytes.
  ///
  /// - Parameter body: The closure.
  /// - Returns: The closure's result.
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try unsafe value.withUnsafeBytes(body)
  }

  /// Returns an iterator over the bytes.
  ///
  /// - Returns: The iterator.
  public func makeIterator() -> Array<UInt8>.Iterator { value.makeIterator() }
}

/// Apple's `AES.GCM.SealedBox` and `ChaChaPoly.SealedBox`, encrypted bytes with their nonce and tag.
///
/// Source: Apple, `AES.GCM.SealedBox`.
public struct CipherBox<Cipher: AuthenticatedCipher>: Sendable {
  /// The nonce.
  public let nonce: CipherNonce<Cipher>
  /// The encrypted bytes.
  public let ciphertext: Data
  /// The tag, 16 bytes.
  public let tag: Data

  var parts: Data { Data(nonce.value) + ciphertext + tag }

  /// Creates a box of its parts.
  ///
  /// - Parameters:
  ///   - nonce: The nonce.
  ///   - ciphertext: The encrypted bytes.
  ///   - tag: The tag, 16 bytes.
  /// - Throws: ``CryptoKitError/incorrectParameterSize`` for a tag of another length.
  public init<C: DataProtocol, T: DataProtocol>(
    nonce: CipherNonce<Cipher>, ciphertext: C, tag: T
  ) throws {
    guard tag.count == 16 else { throw CryptoKitError.incorrectParameterSize }
    self.nonce = nonce
    self.ciphertext = Data(ciphertext)
    self.tag = Data(tag)
  }

  /// Creates a box of its combined form.
  ///
  /// - Parameter combined: A nonce of 12 bytes, the ciphertext, and the tag.
  /// - Throws: ``CryptoKitError/incorrectParameterSize`` for fewer than 28 bytes.
  public init<D: DataProtocol>(combined: D) throws {
    guard combined.count >= 28 else { throw CryptoKitError.incorrectParameterSize }
    let bytes = Array(combined)
    try self.init(
      nonce: CipherNonce(data: bytes[..<12]), ciphertext: bytes[12..<(bytes.count - 16)],
      tag: bytes.suffix(16))
  }
}

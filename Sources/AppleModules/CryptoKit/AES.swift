public import Foundation
import _OpenSSLCrypto

/// Apple's `AES`, the cipher, with the mode GCM only.
///
/// Source: Apple, `AES`.
public enum AES {
  /// Apple's `AES.GCM`, encryption with authentication (NIST SP 800-38D).
  ///
  /// Source: Apple, `AES.GCM`.
  public enum GCM {}
}

extension AES.GCM {
  /// Apple's `AES.GCM.Nonce`, a value that is used once with a key.
  ///
  /// Source: Apple, `AES.GCM.Nonce`.
  public struct Nonce: ContiguousBytes, Sendable, Sequence {
    fileprivate let value: [UInt8]

    /// Makes a random nonce of 12 bytes.
    public init() { value = OpenSSLCrypto.randomBytes(12) }

    /// Creates a nonce.
    ///
    /// - Parameter data: At least 12 bytes.
    /// - Throws: ``CryptoKitError/incorrectParameterSize`` for another length.
    public init<D: DataProtocol>(data: D) throws {
      guard data.count >= 12 else { throw CryptoKitError.incorrectParameterSize }
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

  /// Apple's `AES.GCM.SealedBox`, encrypted bytes with their nonce and tag.
  ///
  /// Source: Apple, `AES.GCM.SealedBox`.
  public struct SealedBox: Sendable {
    /// The nonce.
    public let nonce: Nonce
    /// The encrypted bytes.
    public let ciphertext: Data
    /// The tag, 16 bytes.
    public let tag: Data

    /// The nonce, the ciphertext and the tag, in this order; `nil` if the nonce does not have 12 bytes.
    public var combined: Data? {
      nonce.value.count == 12 ? Data(nonce.value) + ciphertext + tag : nil
    }

    /// Creates a box of its parts.
    ///
    /// - Parameters:
    ///   - nonce: The nonce.
    ///   - ciphertext: The encrypted bytes.
    ///   - tag: The tag, 16 bytes.
    /// - Throws: ``CryptoKitError/incorrectParameterSize`` for a tag of another length.
    public init<C: DataProtocol, T: DataProtocol>(nonce: Nonce, ciphertext: C, tag: T) throws {
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
        nonce: Nonce(data: bytes[..<12]), ciphertext: bytes[12..<(bytes.count - 16)],
        tag: bytes.suffix(16))
    }
  }

  /// Encrypts a message, and authenticates it with other data.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - key: 128, 192 or 256 bits.
  ///   - nonce: The nonce; `nil` for a random one.
  ///   - authenticatedData: The other data.
  /// - Returns: The box.
  /// - Throws: ``CryptoKitError/incorrectKeySize`` for another key.
  public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
    _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil,
    authenticating authenticatedData: AuthenticatedData
  ) throws -> SealedBox {
    let nonce = nonce ?? Nonce()
    guard
      let sealed = OpenSSLCipher.aesGCM.seal(
        Array(message), key: key.bytes, nonce: nonce.value,
        authenticating: Array(authenticatedData))
    else { throw CryptoKitError.incorrectKeySize }
    return try SealedBox(nonce: nonce, ciphertext: sealed.ciphertext, tag: sealed.tag)
  }

  /// Encrypts a message.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - key: 128, 192 or 256 bits.
  ///   - nonce: The nonce; `nil` for a random one.
  /// - Returns: The box.
  /// - Throws: ``CryptoKitError/incorrectKeySize`` for another key.
  public static func seal<Plaintext: DataProtocol>(
    _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil
  ) throws -> SealedBox {
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
    _ sealedBox: SealedBox, using key: SymmetricKey,
    authenticating authenticatedData: AuthenticatedData
  ) throws -> Data {
    guard [128, 192, 256].contains(key.bitCount) else { throw CryptoKitError.incorrectKeySize }
    guard
      let message = OpenSSLCipher.aesGCM.open(
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
  public static func open(_ sealedBox: SealedBox, using key: SymmetricKey) throws -> Data {
    try open(sealedBox, using: key, authenticating: [UInt8]())
  }
}

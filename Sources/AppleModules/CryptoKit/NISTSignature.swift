public import Foundation
import _OpenSSLCrypto

/// A signature, such as `P256.Signing.ECDSASignature`.
///
/// Source: Apple, `P256.Signing.ECDSASignature`.
public struct NISTSignature<C: NISTCurve>: ContiguousBytes, Sendable {
  /// R and S.
  public let rawRepresentation: Data

  init(_ bytes: [UInt8]) { rawRepresentation = Data(bytes) }

  /// Reads a signature.
  ///
  /// - Parameter rawRepresentation: R and S.
  /// - Throws: ``CryptoKitError/incorrectParameterSize`` for another length.
  public init<D: DataProtocol>(rawRepresentation: D) throws {
    guard rawRepresentation.count == 2 * C.parameters.curve.width else {
      throw CryptoKitError.incorrectParameterSize
    }
    self.rawRepresentation = Data(rawRepresentation)
  }

  /// Reads a signature.
  ///
  /// - Parameter derRepresentation: The signature in DER.
  /// - Throws: ``CryptoKitASN1Error/invalidASN1Object`` if it is not a signature in DER.
  public init<D: DataProtocol>(derRepresentation: D) throws {
    guard let bytes = C.parameters.curve.signature(der: Array(derRepresentation)) else {
      throw CryptoKitASN1Error.invalidASN1Object
    }
    rawRepresentation = Data(bytes)
  }

  /// The signature in DER.
  public var derRepresentation: Data {
    Data(C.parameters.curve.der(signature: Array(rawRepresentation)) ?? [])
  }

  /// Calls a closure with R and S.
  ///
  /// - Parameter body: The closure.
  /// - Returns: The closure's result.
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try unsafe rawRepresentation.withUnsafeBytes(body)
  }
}

extension NISTPrivateKey where Use == NISTSigning<C> {
  /// Signs the digest of a message, which the curve's hash function computes.
  ///
  /// - Parameter data: The message.
  /// - Returns: The signature.
  /// - Throws: ``CryptoKitError`` if the library fails.
  public func signature<D: DataProtocol>(for data: D) throws -> NISTSignature<C> {
    try signature(for: C.Hash.hash(data: data))
  }

  /// Signs a digest.
  ///
  /// - Parameter digest: The digest.
  /// - Returns: The signature.
  /// - Throws: ``CryptoKitError`` if the library fails.
  public func signature<D: Digest>(for digest: D) throws -> NISTSignature<C> {
    guard let signature = key.signature(digest: digest.bytes) else {
      throw CryptoKitError.invalidParameter
    }
    return NISTSignature(signature)
  }
}

extension NISTPublicKey where Use == NISTSigning<C> {
  /// Verifies the signature of a message.
  ///
  /// - Parameters:
  ///   - signature: The signature.
  ///   - data: The message.
  /// - Returns: Whether the signature is that of the message.
  public func isValidSignature<D: DataProtocol>(
    _ signature: NISTSignature<C>, for data: D
  ) -> Bool { isValidSignature(signature, for: C.Hash.hash(data: data)) }

  /// Verifies the signature of a digest.
  ///
  /// - Parameters:
  ///   - signature: The signature.
  ///   - digest: The digest.
  /// - Returns: Whether the signature is that of the digest.
  public func isValidSignature<D: Digest>(
    _ signature: NISTSignature<C>, for digest: D
  ) -> Bool {
    key.isValid(signature: Array(signature.rawRepresentation), digest: digest.bytes)
  }
}

public import Foundation
import _OpenSSLCrypto

/// A public key on a curve of NIST, such as `P256.Signing.PublicKey`.
///
/// Source: Apple, `P256.KeyAgreement.PublicKey`.
public struct NISTPublicKey<C: NISTCurve, Use>: Sendable {
  let key: CurveKey

  init(_ key: CurveKey) { self.key = key }

  private init(_ key: CurveKey?, or error: any Error) throws {
    guard let key else { throw error }
    self.key = key
  }

  /// Reads a key.
  ///
  /// - Parameter rawRepresentation: X and Y.
  /// - Throws: ``CryptoKitError`` if they are not a key.
  public init<D: ContiguousBytes>(rawRepresentation: D) throws {
    try self.init(
      CurveKey(C.parameters.curve, publicKey: [4] + rawRepresentation.bytes),
      or: CryptoKitError.incorrectParameterSize)
  }

  /// Reads a key.
  ///
  /// - Parameter x963Representation: 4, X and Y.
  /// - Throws: ``CryptoKitError`` if they are not a key.
  public init<Bytes: ContiguousBytes>(x963Representation: Bytes) throws {
    let bytes = x963Representation.bytes
    try self.init(
      bytes.first == 4 ? CurveKey(C.parameters.curve, publicKey: bytes) : nil,
      or: CryptoKitError.incorrectParameterSize)
  }

  /// Reads a key.
  ///
  /// - Parameter compressedRepresentation: 2 or 3, and X.
  /// - Throws: ``CryptoKitError`` if they are not a key.
  public init<Bytes: ContiguousBytes>(compressedRepresentation: Bytes) throws {
    let bytes = compressedRepresentation.bytes
    try self.init(
      bytes.first == 4 ? nil : CurveKey(C.parameters.curve, publicKey: bytes),
      or: CryptoKitError.incorrectParameterSize)
  }

  /// Reads a key.
  ///
  /// - Parameter derRepresentation: SubjectPublicKeyInfo in DER.
  /// - Throws: ``CryptoKitASN1Error`` if it is not a key on this curve.
  public init<Bytes: RandomAccessCollection<UInt8>>(derRepresentation: Bytes) throws {
    try self.init(
      CurveKey(C.parameters.curve, publicDER: Array(derRepresentation)),
      or: CryptoKitASN1Error.invalidASN1Object)
  }

  /// Reads a key.
  ///
  /// - Parameter pemRepresentation: SubjectPublicKeyInfo in PEM.
  /// - Throws: ``CryptoKitASN1Error`` if it is not a key on this curve.
  public init(pemRepresentation: String) throws {
    try self.init(derRepresentation: PEM.bytes(pemRepresentation, labels: ["PUBLIC KEY"]))
  }

  /// X and Y.
  public var rawRepresentation: Data { Data(key.publicBytes) }
  /// 4, X and Y.
  public var x963Representation: Data { Data([4] + key.publicBytes) }
  /// 2 or 3, and X.
  public var compressedRepresentation: Data {
    let bytes = key.publicBytes
    return Data([2 + (bytes.last ?? 0) % 2] + bytes.prefix(bytes.count / 2))
  }
  /// SubjectPublicKeyInfo in DER.
  public var derRepresentation: Data { Data(PEM.body(key.publicPEM)) }
  /// SubjectPublicKeyInfo in PEM.
  public var pemRepresentation: String { PEM.trimmed(key.publicPEM) }
}

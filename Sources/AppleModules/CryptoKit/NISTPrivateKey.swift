public import Foundation
import _OpenSSLCrypto

/// A private key on a curve of NIST, such as `P256.Signing.PrivateKey`.
///
/// Source: Apple, `P256.KeyAgreement.PrivateKey`.
public struct NISTPrivateKey<C: NISTCurve, Use>: Sendable {
  let key: CurveKey

  private init(_ key: CurveKey?, or error: any Error) throws {
    guard let key else { throw error }
    self.key = key
  }

  /// Makes a key.
  ///
  /// - Parameter compactRepresentable: Ignored; compact representations are not there.
  public init(compactRepresentable: Bool = true) { key = .generate(C.parameters.curve) }

  /// Reads a key.
  ///
  /// - Parameter rawRepresentation: The scalar.
  /// - Throws: ``CryptoKitError`` if it is not a key.
  public init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws {
    try self.init(
      CurveKey(C.parameters.curve, scalar: rawRepresentation.bytes),
      or: CryptoKitError.incorrectParameterSize)
  }

  /// Reads a key.
  ///
  /// - Parameter x963Representation: 4, X, Y and the scalar.
  /// - Throws: ``CryptoKitError`` if they are not a key.
  public init<Bytes: ContiguousBytes>(x963Representation: Bytes) throws {
    let bytes = x963Representation.bytes
    let width = C.parameters.curve.width
    let key =
      bytes.count == 1 + 3 * width && bytes[0] == 4
      ? CurveKey(C.parameters.curve, scalar: bytes.suffix(width)) : nil
    try self.init(
      key?.publicBytes == Array(bytes.dropFirst().prefix(2 * width)) ? key : nil,
      or: CryptoKitError.incorrectParameterSize)
  }

  /// Reads a key.
  ///
  /// - Parameter derRepresentation: PKCS #8 or SEC 1 in DER.
  /// - Throws: ``CryptoKitASN1Error`` if it is not a key on this curve.
  public init<Bytes: RandomAccessCollection<UInt8>>(derRepresentation: Bytes) throws {
    try self.init(
      CurveKey(C.parameters.curve, privateDER: Array(derRepresentation)),
      or: CryptoKitASN1Error.invalidASN1Object)
  }

  /// Reads a key.
  ///
  /// - Parameter pemRepresentation: PKCS #8 or SEC 1 in PEM.
  /// - Throws: ``CryptoKitASN1Error`` if it is not a key on this curve.
  public init(pemRepresentation: String) throws {
    try self.init(
      derRepresentation: PEM.bytes(pemRepresentation, labels: ["PRIVATE KEY", "EC PRIVATE KEY"]))
  }

  /// The public key.
  public var publicKey: NISTPublicKey<C, Use> { NISTPublicKey(key) }
  /// The scalar, which is secret.
  public var rawRepresentation: Data { Data(key.scalar) }
  /// 4, X, Y and the scalar, which is secret.
  public var x963Representation: Data { Data([4] + key.publicBytes + key.scalar) }
  /// PKCS #8 in DER.
  public var derRepresentation: Data { Data(PEM.body(key.privatePEM)) }
  /// PKCS #8 in PEM.
  public var pemRepresentation: String { PEM.trimmed(key.privatePEM) }
}

extension NISTPrivateKey where Use == NISTKeyAgreement<C> {
  /// Computes the secret that is shared with the owner of a public key.
  ///
  /// - Parameter publicKeyShare: The public key.
  /// - Returns: The secret.
  /// - Throws: ``CryptoKitError`` if the two keys have no shared secret.
  public func sharedSecretFromKeyAgreement(
    with publicKeyShare: NISTPublicKey<C, Use>
  ) throws -> SharedSecret {
    guard let secret = key.sharedSecret(with: publicKeyShare.key) else {
      throw CryptoKitError.invalidParameter
    }
    return SharedSecret(secret)
  }
}

package import _OpenSSLCrypto

/// A curve of NIST.
///
/// Only the curves of this module conform to it.
public protocol NISTCurve: Sendable {
  /// The hash function of the curve's signatures.
  associatedtype Hash: HashFunction
  /// The curve.
  static var parameters: NISTCurveParameters { get }
}

/// The parameters of a curve, which only this module creates.
public struct NISTCurveParameters: Sendable {
  package let curve: Curve
}

// On Apple's systems the types in `Signing` and `KeyAgreement` are structures of each curve.

/// Apple's `P256`, the curve P-256.
///
/// Source: Apple, `P256`.
public enum P256: NISTCurve {
  /// The hash function of the curve's signatures.
  public typealias Hash = SHA256
  /// Keys that sign, and signatures.
  public typealias Signing = NISTSigning<P256>
  /// Keys that agree on a secret.
  public typealias KeyAgreement = NISTKeyAgreement<P256>
  /// The curve.
  public static var parameters: NISTCurveParameters { .init(curve: .p256) }
}

/// Apple's `P384`, the curve P-384.
///
/// Source: Apple, `P384`.
public enum P384: NISTCurve {
  /// The hash function of the curve's signatures.
  public typealias Hash = SHA384
  /// Keys that sign, and signatures.
  public typealias Signing = NISTSigning<P384>
  /// Keys that agree on a secret.
  public typealias KeyAgreement = NISTKeyAgreement<P384>
  /// The curve.
  public static var parameters: NISTCurveParameters { .init(curve: .p384) }
}

/// Apple's `P521`, the curve P-521.
///
/// Source: Apple, `P521`.
public enum P521: NISTCurve {
  /// The hash function of the curve's signatures.
  public typealias Hash = SHA512
  /// Keys that sign, and signatures.
  public typealias Signing = NISTSigning<P521>
  /// Keys that agree on a secret.
  public typealias KeyAgreement = NISTKeyAgreement<P521>
  /// The curve.
  public static var parameters: NISTCurveParameters { .init(curve: .p521) }
}

/// Keys on a curve that agree on a secret, and their representations.
public enum NISTKeyAgreement<C: NISTCurve> {
  /// A key that agrees on a secret.
  public typealias PrivateKey = NISTPrivateKey<C, NISTKeyAgreement<C>>
  /// The public key of a key that agrees on a secret.
  public typealias PublicKey = NISTPublicKey<C, NISTKeyAgreement<C>>
}

/// Keys on a curve that sign, and their signatures.
public enum NISTSigning<C: NISTCurve> {
  /// A key that signs.
  public typealias PrivateKey = NISTPrivateKey<C, NISTSigning<C>>
  /// A key that verifies signatures.
  public typealias PublicKey = NISTPublicKey<C, NISTSigning<C>>
  /// A signature.
  public typealias ECDSASignature = NISTSignature<C>
}

import PushCrypto
import PushPayload
import UserTokens
import _OpenSSLCrypto

/// The public keys that verify a provider's signatures, from its JSON Web Key Set (RFC 7517).
struct ProviderKeys: Sendable {
  /// The most keys that are read; providers have two or three.
  static let maximumCount = 64

  private enum Key: Sendable {
    case rsa(RSAPublicKey)
    case p256(CurveKey)
  }

  private let keys: [(id: String?, algorithm: String?, key: Key)]

  /// Reads a set, and ignores keys of other kinds and uses (RFC 7517, section 5).
  ///
  /// - Throws: ``ProviderFailure`` if the bytes are not a key set.
  init(_ bytes: [UInt8]) throws(ProviderFailure) {
    guard let all = (try? JSONValue(parsing: bytes))?.object?["keys"]?.array else {
      throw ProviderFailure("the provider's keys are not a JSON Web Key Set")
    }
    keys = all.prefix(Self.maximumCount).compactMap { value in
      guard let members = value.object, Self.isForSignatures(members),
        let key = Self.key(members)
      else { return nil }
      return (members["kid"]?.string, members["alg"]?.string, key)
    }
  }

  /// Whether one of the keys has signed a token with the algorithm in its header.
  ///
  /// A key is never used with an algorithm of another kind, whatever the header says.
  func verify(_ token: SignedToken) -> Bool {
    let (named, algorithm) = (token.header["kid"]?.string, token.header["alg"]?.string)
    return keys.contains { key in
      guard named == nil || key.id == nil || named == key.id,
        key.algorithm == nil || key.algorithm == algorithm
      else { return false }
      switch (algorithm, key.key) {
      case ("RS256", .rsa(let key)):
        return key.isValid(signature: token.signature, for: token.signedBytes)
      case ("ES256", .p256(let key)):
        return key.isValid(
          signature: token.signature, digest: OpenSSLCrypto.sha256(token.signedBytes))
      default: return false
      }
    }
  }

  /// Whether a key may verify signatures (RFC 7517, sections 4.2 and 4.3).
  private static func isForSignatures(_ members: [String: JSONValue]) -> Bool {
    guard members["use"] == nil || members["use"] == "sig" else { return false }
    return members["key_ops"].map { $0.array?.contains("verify") == true } ?? true
  }

  /// Reads a key according to RFC 7518, sections 6.2.1 and 6.3.1.
  private static func key(_ members: [String: JSONValue]) -> Key? {
    func bytes(_ name: String) -> [UInt8]? {
      members[name]?.string.flatMap { Base64URL.decode($0) }
    }
    switch members["kty"] {
    case "RSA":
      guard let modulus = bytes("n"), let exponent = bytes("e") else { return nil }
      return RSAPublicKey(modulus: modulus, exponent: exponent).map(Key.rsa)
    case "EC":
      guard members["crv"] == "P-256", let x = bytes("x"), let y = bytes("y"), x.count == 32,
        y.count == 32
      else { return nil }
      return CurveKey(.p256, publicKey: [4] + x + y).map(Key.p256)
    default: return nil
    }
  }
}

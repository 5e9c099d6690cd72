#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A provider token, which authenticates a sender to APNs: a JSON Web Token signed with ES256.
///
/// It is valid for an hour from its time of issue, and a connection may change its token every 20 minutes at most. See
/// Apple's "Establishing a token-based connection to APNs" and RFC 7515, 7518 and 7519.
public struct ProviderToken: Hashable, Sendable {
  /// The time of issue in seconds since 1970.
  public let issuedAt: Int64
  /// The compact serialization, `header.claims.signature`, which follows `bearer` in the header field.
  public let compact: String

  /// Makes and signs a token.
  ///
  /// - Parameters:
  ///   - teamID: The team id, which is the issuer.
  ///   - keyID: The id of the signing key.
  ///   - issuedAt: The time of issue in seconds since 1970.
  ///   - key: The team's private key.
  /// - Throws: ``CryptoError`` if signing fails.
  public init(
    teamID: String, keyID: String, issuedAt: Int64, signedBy key: some ES256PrivateKey
  ) throws(CryptoError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let header: Data
    let claims: Data
    do {
      header = try encoder.encode(Header(alg: "ES256", kid: keyID))
      claims = try encoder.encode(Claims(iss: teamID, iat: issuedAt))
    } catch {
      throw CryptoError(.failed, "the team id or key id cannot be encoded")
    }
    let signed = Base64URL.encode(Array(header)) + "." + Base64URL.encode(Array(claims))
    let signature = try key.signature(for: Array(signed.utf8))
    self.issuedAt = issuedAt
    compact = signed + "." + Base64URL.encode(signature)
  }

  private struct Header: Encodable {
    let alg: String
    let kid: String
  }

  private struct Claims: Encodable {
    let iss: String
    let iat: Int64
  }
}

package import PushCrypto
import PushPayload
import _OpenSSLCrypto

/// The team and the key that sign the provider tokens of a run.
package struct ProviderIdentity: Sendable {
  package var teamID: String
  package var keyID: String
  package var keyPEM: String
  /// The key, whose public half verifies a client's tokens.
  package let key: any ES256PrivateKey

  /// Makes an identity of a key.
  ///
  /// - Parameters:
  ///   - teamID: The team id.
  ///   - keyID: The key id.
  ///   - keyPEM: The text of the `.p8` file.
  /// - Throws: `CryptoError` if the text is not a P-256 private key.
  package init(teamID: String, keyID: String, keyPEM: String) throws(CryptoError) {
    self.teamID = teamID
    self.keyID = keyID
    self.keyPEM = keyPEM
    key = try OpenSSLCrypto().privateKey(pem: keyPEM)
  }

  /// Makes an identity with a new key.
  ///
  /// - Returns: The identity.
  /// - Throws: `CryptoError` if the library makes no key.
  package static func made() throws(CryptoError) -> ProviderIdentity {
    try ProviderIdentity(
      teamID: "TEAM123456", keyID: "KEY1234567", keyPEM: OpenSSLCrypto.makeP256KeyPEM())
  }

  /// Signs a JSON Web Token, whose header and claims may have faults.
  func token(
    header: JSONValue, claims: JSONValue, signature: ProviderTokenCase.Signature
  ) throws(CryptoError) -> String {
    let signed =
      Base64URL.encode(Array(header.serialized())) + "."
      + Base64URL.encode(Array(claims.serialized()))
    let bytes: [UInt8] =
      switch signature {
      case .valid: try key.signature(for: Array(signed.utf8))
      case .otherKey:
        try OpenSSLCrypto().privateKey(pem: OpenSSLCrypto.makeP256KeyPEM())
          .signature(for: Array(signed.utf8))
      case .none: []
      }
    return signed + "." + Base64URL.encode(bytes)
  }

  /// The fault of a provider token, or `nil` if it is as APNs documents it and this identity's key has signed it.
  func problem(inAuthorization header: String?) -> String? {
    guard let header else { return "there is no authorization" }
    guard header.hasPrefix("bearer ") else {
      return "authorization does not begin with \"bearer \""
    }
    let parts = header.dropFirst(7).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let head = object(parts[0]), let claims = object(parts[1]),
      let signature = Base64URL.decode(parts[2])
    else { return "the provider token is not a JSON Web Token in base64url without padding" }
    guard head["alg"]?.string == "ES256" else { return "alg is not ES256" }
    guard head["kid"]?.string == keyID else { return "kid is not the key id" }
    guard claims["iss"]?.string == teamID else { return "iss is not the team id" }
    guard claims["iat"]?.integer != nil else { return "iat is not a whole number" }
    guard signature.count == 64 else { return "the signature is not R and S of 32 bytes each" }
    let signed = Array("\(parts[0]).\(parts[1])".utf8)
    return key.publicKey.isValid(signature: signature, for: signed)
      ? nil : "the signature does not verify"
  }

  private func object(_ part: Substring) -> JSONValue? {
    guard let bytes = Base64URL.decode(part), let value = try? JSONValue(parsing: bytes),
      value.object != nil
    else { return nil }
    return value
  }
}

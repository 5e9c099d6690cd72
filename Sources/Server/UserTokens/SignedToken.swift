import PushCrypto
package import PushPayload

/// A signed JSON Web Token (RFC 7519) in compact serialization (RFC 7515, section 7.1) that is not verified yet.
package struct SignedToken: Sendable {
  /// The members of the header.
  package let header: [String: JSONValue]
  /// The bytes that the signature covers: the encoded header, a dot and the encoded claims.
  package let signedBytes: [UInt8]
  package let signature: [UInt8]
  /// The claims as JSON, which must not be trusted before the signature is verified.
  package let payload: [UInt8]

  /// An error of the token's format, whose message follows the token's name: "is longer than 4096 bytes".
  package struct Malformed: Error, Hashable, Sendable {
    package var message: String
  }

  /// Reads a token of at most `limit` bytes.
  ///
  /// - Throws: ``Malformed``. Its message never quotes the token.
  package init(_ compact: String, limit: Int) throws(Malformed) {
    guard compact.utf8.count <= limit else {
      throw Malformed(message: "is longer than \(limit) bytes")
    }
    let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64URL.decode(parts[0]),
      let claims = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2])
    else {
      throw Malformed(
        message: "must be three parts of base64url without padding, separated by dots")
    }
    guard let members = ClaimsReader.members(of: header) else {
      throw Malformed(message: "has a header that is not a JSON object with unique names")
    }
    if let type = members["typ"], type.string?.lowercased() != "jwt" {
      throw Malformed(message: "must have typ JWT, or none")
    }
    guard members["crit"] == nil else {
      throw Malformed(message: "must not have crit: no extension is known")
    }
    self.header = members
    self.signature = signature
    payload = claims
    signedBytes = Array(compact.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
  }
}

package import PushCrypto
import PushPayload

/// A user token, with which an app's server proves to Martlet who the user of a device is.
///
/// It is a JSON Web Token (RFC 7519) that is signed with ES256 (RFC 7515, RFC 7518 section 3.4). The app's server signs
/// it, and the app passes it on. It has the claims `sub`, the user's id; `aud`, the app's bundle id; and `exp`, at most
/// a day ahead. `email` is the user's e-mail address, `nbf` the time before which the token is not valid.
package struct UserToken: Hashable, Sendable {
  /// The maximum length of a token in bytes.
  package static let maximumBytes = 4096
  /// The most seconds from now until a token expires.
  package static let maximumLifetime: Int64 = 86_400
  /// The seconds by which the clocks of the two servers may differ.
  package static let leeway: Int64 = 60
  /// The maximum length of a user's id or an e-mail address, in Unicode scalars.
  package static let textLimit = 255

  package let userID: String
  package let email: String?

  /// Reads a token and verifies it.
  ///
  /// The claims are read only after the signature was verified. Parameters of the header other than `alg`, `typ` and
  /// `crit` are not used: which keys are trusted never depends on the token.
  ///
  /// - Parameters:
  ///   - compact: The compact serialization, `header.claims.signature`.
  ///   - audience: The app's bundle id.
  ///   - keys: The app's identity keys. One of them must have signed the token.
  ///   - now: The time in seconds since 1970.
  /// - Throws: ``UserTokenError``. Its message never quotes the token.
  package init(
    _ compact: String, audience: String, keys: [any ES256PublicKey], now: Int64
  ) throws(UserTokenError) {
    let token: SignedToken
    do throws(SignedToken.Malformed) {
      token = try SignedToken(compact, limit: Self.maximumBytes)
    } catch {
      throw UserTokenError(.malformed, error.message)
    }
    guard token.header["alg"] == "ES256" else {
      throw UserTokenError(.algorithm, "must have alg ES256")
    }
    guard !keys.isEmpty else {
      throw UserTokenError(.signature, "cannot be verified: the app has no identity key")
    }
    guard keys.contains(where: { $0.isValid(signature: token.signature, for: token.signedBytes) })
    else {
      throw UserTokenError(
        .signature, "is not signed by one of the app's identity keys with ES256 (R and S, 64 bytes)"
      )
    }
    try self.init(claims: token.payload, audience: audience, now: now)
  }

  /// Reads claims whose signature was verified.
  package init(claims bytes: [UInt8], audience: String, now: Int64) throws(UserTokenError) {
    guard let claims = ClaimsReader.members(of: bytes) else {
      throw UserTokenError(.malformed, "has claims that are not a JSON object with unique names")
    }
    guard claims["aud"] == .string(audience) else {
      throw UserTokenError(.audience, "must have the app's bundle id as aud")
    }
    guard let expiry = claims["exp"]?.number else {
      throw UserTokenError(.expiry, "must have exp, a number of seconds since 1970")
    }
    // As floating point, because the peer chooses the numbers, and integers could overflow.
    let (time, leeway) = (Double(now), Double(Self.leeway))
    guard expiry > time - leeway else { throw UserTokenError(.expiry, "has expired") }
    guard expiry <= time + leeway + Double(Self.maximumLifetime) else {
      throw UserTokenError(.expiry, "must expire within a day")
    }
    if let start = claims["nbf"] {
      guard let start = start.number, start <= time + leeway else {
        throw UserTokenError(.expiry, "is not valid yet, by its nbf")
      }
    }
    userID = try Self.text("sub", claims["sub"])
    email = try claims["email"].map { value throws(UserTokenError) in
      try Self.text("email", value)
    }
  }

  private static func text(_ name: String, _ value: JSONValue?) throws(UserTokenError) -> String {
    guard let text = value?.string, (1...textLimit).contains(text.unicodeScalars.count) else {
      throw UserTokenError(.subject, "must have a text of 1 to \(textLimit) characters as \(name)")
    }
    return text
  }
}

/// An error that says why a user token is refused.
package struct UserTokenError: Error, Hashable, Sendable, CustomStringConvertible {
  package struct Code: Hashable, Sendable {
    private enum Raw { case malformed, algorithm, signature, audience, expiry, subject }
    private let raw: Raw
    /// The text is not a token in the compact serialization.
    package static let malformed = Code(raw: .malformed)
    /// The header's algorithm is not ES256.
    package static let algorithm = Code(raw: .algorithm)
    /// No key verifies the signature.
    package static let signature = Code(raw: .signature)
    /// The token is for another app.
    package static let audience = Code(raw: .audience)
    /// The token has expired, is not valid yet, or is valid for too long.
    package static let expiry = Code(raw: .expiry)
    /// The user's id is missing, or it or the e-mail address is not a string of 1 to 255 characters.
    package static let subject = Code(raw: .subject)
  }

  package var code: Code
  /// The message, which follows the name of the header field: "has expired".
  package var message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}

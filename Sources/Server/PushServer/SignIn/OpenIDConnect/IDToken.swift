import PushModel
import PushPayload
import UserTokens

/// An ID token, which says who has signed in to a provider (OpenID Connect Core 1.0, section 2).
struct IDToken: Sendable, Equatable {
  /// The accepted algorithms: the one that every provider must support, and one with short keys.
  static let algorithms = ["RS256", "ES256"]
  /// The most bytes of a token, because some providers list all groups of a person.
  static let maximumBytes = 64 << 10
  /// The accepted difference between the clocks of the two servers, in seconds.
  static let leeway = 60.0
  /// The most characters of a subject (section 2).
  static let subjectLimit = 255

  /// The values that the token must have.
  struct Expectation: Sendable {
    var issuer: String
    var clientID: String
    /// The value that this server sent with its request, which ties the token to this sign-in.
    var nonce: String
  }

  let subject: String
  /// The provider's claims about the person.
  let claims: PersonClaims

  /// Reads a token and verifies it according to section 3.1.3.7.
  ///
  /// - Throws: ``ProviderFailure``, which contains no part of the token.
  init(
    _ compact: String, keys: ProviderKeys, for expected: Expectation, at now: Timestamp
  ) throws(ProviderFailure) {
    let token = try Self.parse(compact)
    guard keys.verify(token) else {
      throw ProviderFailure("the ID token is not signed by one of the provider's keys")
    }
    try self.init(claims: token.payload, for: expected, at: now)
  }

  /// Reads the claims of a token whose signature was verified.
  ///
  /// - Throws: ``ProviderFailure``, which contains no part of the claims.
  init(
    claims bytes: [UInt8], for expected: Expectation, at now: Timestamp
  ) throws(ProviderFailure) {
    guard let claims = ClaimsReader.members(of: bytes) else {
      throw ProviderFailure("the ID token has claims that are not a JSON object with unique names")
    }
    try Self.check(claims, for: expected, seconds: Double(now.milliseconds) / 1000)
    guard let subject = claims["sub"]?.string,
      (1...Self.subjectLimit).contains(subject.unicodeScalars.count)
    else {
      throw ProviderFailure("the ID token must have a text of 1 to 255 characters as sub")
    }
    self.subject = subject
    self.claims = PersonClaims(claims)
  }

  /// Reads a token without verifying it, to find the key that its header names.
  static func parse(_ compact: String) throws(ProviderFailure) -> SignedToken {
    let token: SignedToken
    do throws(SignedToken.Malformed) {
      token = try SignedToken(compact, limit: maximumBytes)
    } catch {
      throw ProviderFailure("the ID token \(error.message)")
    }
    guard let name = token.header["alg"]?.string, algorithms.contains(name) else {
      throw ProviderFailure(
        "the ID token must be signed with \(algorithms.joined(separator: " or "))")
    }
    return token
  }

  private static func check(
    _ claims: [String: JSONValue], for expected: Expectation, seconds now: Double
  ) throws(ProviderFailure) {
    guard claims["iss"] == .string(expected.issuer) else {
      throw ProviderFailure("the ID token is of another issuer")
    }
    let client = JSONValue.string(expected.clientID)
    guard claims["aud"] == client || claims["aud"]?.array?.contains(client) == true else {
      throw ProviderFailure("the ID token is for another client, by its aud")
    }
    // A token for several parties must name the one for which it was made; a token for us alone may do so.
    let needsParty = (claims["aud"]?.array?.count ?? 1) > 1
    guard claims["azp"] == nil ? !needsParty : claims["azp"] == client else {
      throw ProviderFailure("the ID token was made for another client, by its azp")
    }
    guard let expiry = claims["exp"]?.number, expiry > now - leeway else {
      throw ProviderFailure("the ID token has expired, or has no exp; compare the servers' clocks")
    }
    guard let issued = claims["iat"]?.number, issued < now + leeway else {
      throw ProviderFailure(
        "the ID token is from the future, or has no iat; compare the servers' clocks")
    }
    if let start = claims["nbf"] {
      guard let start = start.number, start < now + leeway else {
        throw ProviderFailure("the ID token is not valid yet, by its nbf")
      }
    }
    guard claims["nonce"] == .string(expected.nonce) else {
      throw ProviderFailure("the ID token is not of this sign-in, by its nonce")
    }
  }
}

/// A provider's claims about a person, from an ID token or as user info (OpenID Connect Core 1.0, section 5.1).
struct PersonClaims: Sendable, Equatable {
  /// The address, if the provider has verified it; an unverified address does not identify anybody.
  private(set) var verifiedEmail: EmailAddress?
  private(set) var name: String?

  init(_ members: [String: JSONValue]) {
    // Some providers send the boolean as a string.
    let isVerified = members["email_verified"] == true || members["email_verified"] == "true"
    verifiedEmail = isVerified ? members["email"]?.string.flatMap { EmailAddress($0) } : nil
    // A person without a name is shown with the email address.
    name = members["name"]?.string.map {
      DisplayText.beginning(of: $0, upTo: Account.nameLimit)
    }.flatMap { DisplayText.problem($0, upTo: Account.nameLimit) == nil ? $0 : nil }
  }

  /// These claims, with missing ones taken from others.
  func completed(by others: PersonClaims) -> PersonClaims {
    var all = self
    all.verifiedEmail = verifiedEmail ?? others.verifiedEmail
    all.name = name ?? others.name
    return all
  }
}

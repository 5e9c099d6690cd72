import Foundation
import PushCrypto
import PushModel
import PushPayload
import Synchronization
import UserTokens
import _Curl
import _OpenSSLCrypto

/// Learns from an OpenID provider who has signed in, by the authorization code flow (OpenID Connect Core 1.0, section
/// 3.1) with PKCE (RFC 7636).
///
/// The provider's document and keys are read on first use, and again after an hour or if a token is signed with an
/// unknown key.
final class OpenIDClient: Sendable {
  /// The values of one sign-in, which only the provider and the browser that began it know.
  struct Secrets: Sendable, Equatable {
    var state: String
    var nonce: String
    /// The code verifier (RFC 7636, section 4.1).
    var verifier: String

    static func make() -> Secrets {
      func text() -> String { Base64URL.encode(OpenSSLCrypto.randomBytes(32)) }
      return Secrets(state: text(), nonce: text(), verifier: text())
    }
  }

  /// The person who has signed in.
  struct Identity: Sendable, Equatable {
    var subject: String
    var claims: PersonClaims
    /// The token for ``userInfo(of:)``.
    var accessToken: String?
  }

  /// The time after which the provider's document and keys are read again.
  static let lifetime = Duration.seconds(3600)
  /// The least time between two reads because of an unknown key.
  static let keyInterval = Duration.seconds(30)

  private struct Known: Sendable {
    var metadata: ProviderMetadata
    var keys: ProviderKeys
    var readAt: Timestamp
  }

  let provider: IdentityProvider
  private let http: any HTTPClient
  private let clock: ServerClock
  private let known = Mutex<Known?>(nil)

  init(_ provider: IdentityProvider, http: any HTTPClient, clock: ServerClock) {
    self.provider = provider
    self.http = http
    self.clock = clock
  }

  /// The URL to which the browser goes, so that the provider asks its user to sign in.
  ///
  /// `redirectURL` is the URL to which the provider sends the browser back, as registered there.
  ///
  /// - Throws: ``ProviderFailure`` if the provider cannot be reached or its document cannot be read.
  func authorizationURL(
    _ secrets: Secrets, redirectURL: String
  ) async throws(ProviderFailure) -> String {
    let endpoint = try await current().metadata.authorizationEndpoint
    let query = URLEncoded.encode([
      ("response_type", "code"), ("client_id", provider.clientID), ("redirect_uri", redirectURL),
      ("scope", "openid email profile"), ("state", secrets.state), ("nonce", secrets.nonce),
      ("code_challenge", Self.challenge(secrets.verifier)), ("code_challenge_method", "S256"),
    ])
    return endpoint + (endpoint.contains("?") ? "&" : "?") + query
  }

  static func challenge(_ verifier: String) -> String {
    Base64URL.encode(OpenSSLCrypto.sha256(Array(verifier.utf8)))
  }

  /// Exchanges the browser's code for the identity of its user.
  ///
  /// `issuer` is the `iss` of the browser's request, by which a provider identifies itself (RFC 9207). `redirectURL` is
  /// the same as in ``authorizationURL(_:redirectURL:)``.
  ///
  /// - Throws: ``ProviderFailure`` if the provider gives no identity.
  func identity(
    code: String, issuer: String?, _ secrets: Secrets, redirectURL: String
  ) async throws(ProviderFailure) -> Identity {
    let found = try await current()
    guard issuer == provider.issuer || issuer == nil && !found.metadata.namesIssuer else {
      throw ProviderFailure("the answer is of another issuer, by its iss")
    }
    let answer = try await exchange(
      code: code, secrets, redirectURL: redirectURL, at: found.metadata)
    guard let text = answer["id_token"]?.string else {
      throw ProviderFailure("the token endpoint gave no id_token")
    }
    let keys = try await keys(for: try IDToken.parse(text), known: found)
    let token = try IDToken(
      text, keys: keys,
      for: .init(issuer: provider.issuer, clientID: provider.clientID, nonce: secrets.nonce),
      at: clock.now())
    return Identity(
      subject: token.subject, claims: token.claims, accessToken: answer["access_token"]?.string)
  }

  /// The provider's claims about a person.
  ///
  /// If the ID token lacks some, they are read from the user info, because many providers have the email address only
  /// there (section 5.3).
  ///
  /// - Throws: ``ProviderFailure`` if the user info cannot be read, or is about another person.
  func userInfo(of identity: Identity) async throws(ProviderFailure) -> PersonClaims {
    guard identity.claims.verifiedEmail == nil || identity.claims.name == nil,
      let url = try await current().metadata.userInfoEndpoint,
      let token = identity.accessToken, token.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else { return identity.claims }
    let body = try await get(
      url, "the user info", fields: [("Authorization", "Bearer \(token)")])
    guard let members = ClaimsReader.members(of: body),
      members["sub"] == .string(identity.subject)
    else { throw ProviderFailure("the user info is not of the person who signed in") }
    return identity.claims.completed(by: PersonClaims(members))
  }

  // MARK: Requests

  private func exchange(
    code: String, _ secrets: Secrets, redirectURL: String, at metadata: ProviderMetadata
  ) async throws(ProviderFailure) -> [String: JSONValue] {
    var form = [
      ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURL),
      ("code_verifier", secrets.verifier),
    ]
    var fields = [
      ("Content-Type", URLEncoded.mediaType), ("Accept", "application/json"),
    ]
    if let secret = provider.clientSecret, !metadata.takesSecretInBody {
      // Both are form-encoded before they are joined (RFC 6749, section 2.3.1).
      let pair = URLEncoded.encode(provider.clientID) + ":" + URLEncoded.encode(secret)
      fields.append(("Authorization", "Basic " + Data(pair.utf8).base64EncodedString()))
    } else {
      form.append(("client_id", provider.clientID))
      if let secret = provider.clientSecret { form.append(("client_secret", secret)) }
    }
    let answer = try await response(
      metadata.tokenEndpoint, "the token endpoint", fields: fields,
      posting: Array(URLEncoded.encode(form).utf8))
    let members = (try? JSONValue(parsing: answer.body))?.object
    guard answer.status == 200, let members else {
      let reason = members?["error"]?.string.map { ", \(Self.loggable($0))" } ?? ""
      throw ProviderFailure("the token endpoint answered \(answer.status)\(reason)")
    }
    return members
  }

  /// An error code without characters that could break a line of the log.
  static func loggable(_ text: String) -> String {
    String(
      decoding: text.utf8.prefix(60).filter { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || byte == UInt8(ascii: "_")
      }, as: UTF8.self)
  }

  private func get(
    _ url: String, _ what: String, fields: [(name: String, value: String)] = []
  ) async throws(ProviderFailure) -> [UInt8] {
    let answer = try await response(url, what, fields: fields + [("Accept", "application/json")])
    guard answer.status == 200 else {
      throw ProviderFailure("\(what) at \(url) answered \(answer.status)")
    }
    return answer.body
  }

  private func response(
    _ url: String, _ what: String, fields: [(name: String, value: String)],
    posting body: [UInt8]? = nil
  ) async throws(ProviderFailure) -> OutgoingRequest.Answer {
    // Private addresses are allowed, because the operator configures the provider.
    let request = OutgoingRequest(
      url: url, fields: fields, body: body, bodyLimit: ProviderMetadata.maximumBytes
    ) { _, _ in true }
    do {
      return try await http.answer(to: request)
    } catch {
      throw ProviderFailure("\(what) at \(url) gave no answer: \(error)")
    }
  }

  // MARK: The provider's document and keys

  private func current() async throws(ProviderFailure) -> Known {
    if let known = known.withLock({ $0 }), clock.now().since(known.readAt) < Self.lifetime {
      return known
    }
    return try await read()
  }

  private func read() async throws(ProviderFailure) -> Known {
    let document = try await get(provider.discoveryURL, "the discovery document")
    let metadata = try ProviderMetadata(document, issuer: provider.issuer)
    let keys = try ProviderKeys(try await get(metadata.keysURL, "the provider's keys"))
    let read = Known(metadata: metadata, keys: keys, readAt: clock.now())
    known.withLock { $0 = read }
    return read
  }

  /// The keys, which are read again if none of them has signed a token, because the provider may have new ones (section
  /// 10.1.1).
  private func keys(
    for token: SignedToken, known: Known
  ) async throws(ProviderFailure) -> ProviderKeys {
    guard !known.keys.verify(token), clock.now().since(known.readAt) >= Self.keyInterval else {
      return known.keys
    }
    return try await read().keys
  }
}

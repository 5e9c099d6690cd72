import PushPayload

/// The part of a provider's discovery document that sign-in uses (OpenID Connect Discovery 1.0, section 3).
struct ProviderMetadata: Sendable, Equatable {
  /// The most bytes of the document.
  static let maximumBytes = 1 << 20

  let authorizationEndpoint: String
  let tokenEndpoint: String
  let keysURL: String
  let userInfoEndpoint: String?
  /// Whether the client's secret is sent in the body, because the provider does not accept it in a header.
  let takesSecretInBody: Bool
  /// Whether the provider identifies itself in its answers (RFC 9207, section 3).
  let namesIssuer: Bool

  /// Reads the document of an issuer.
  ///
  /// - Throws: ``ProviderFailure`` if the document belongs to another issuer, or lacks something that sign-in needs.
  init(_ bytes: [UInt8], issuer: String) throws(ProviderFailure) {
    guard let members = (try? JSONValue(parsing: bytes))?.object else {
      throw ProviderFailure("the discovery document is not a JSON object")
    }
    guard members["issuer"] == .string(issuer) else {
      throw ProviderFailure(
        "the discovery document is of the issuer \(members["issuer"]?.string ?? "none"), not \(issuer)"
      )
    }
    func url(_ name: String) throws(ProviderFailure) -> String {
      guard let text = members[name]?.string, IdentityProvider.admits(text) else {
        throw ProviderFailure("the discovery document has no https URL as \(name)")
      }
      return text
    }
    func texts(_ name: String) -> [String]? { members[name]?.array.map { $0.compactMap(\.string) } }
    authorizationEndpoint = try url("authorization_endpoint")
    tokenEndpoint = try url("token_endpoint")
    keysURL = try url("jwks_uri")
    userInfoEndpoint = members["userinfo_endpoint"] == nil ? nil : try url("userinfo_endpoint")
    if let algorithms = texts("id_token_signing_alg_values_supported"),
      Set(algorithms).isDisjoint(with: IDToken.algorithms)
    {
      throw ProviderFailure(
        "the provider signs with \(algorithms.joined(separator: ", ")), of which none is"
          + " \(IDToken.algorithms.joined(separator: " or "))")
    }
    // The default is client_secret_basic.
    let methods = texts("token_endpoint_auth_methods_supported") ?? ["client_secret_basic"]
    takesSecretInBody =
      !methods.contains("client_secret_basic") && methods.contains("client_secret_post")
    namesIssuer = members["authorization_response_iss_parameter_supported"] == true
  }
}

/// The reason why a sign-in with a provider failed, for the server's log.
///
/// It never contains a token, a code or a secret.
struct ProviderFailure: Error, Hashable, Sendable, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

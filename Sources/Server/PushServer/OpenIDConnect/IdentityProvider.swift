import Foundation
import NetworkAddresses

/// The OpenID provider with which people sign in to the dashboard, as the operator of the server names it.
package struct IdentityProvider: Sendable {
  /// The URL under which the provider is known, without a slash at its end unless the provider has one.
  package var issuer: String
  package var clientID: String
  /// The secret that the provider gave to this server; `nil` for a client without one, which PKCE protects alone.
  package var clientSecret: String?
  /// The name on the button, "Example Inc.".
  package var name: String

  package init(issuer: String, clientID: String, clientSecret: String? = nil, name: String? = nil) {
    self.issuer = issuer
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.name = name ?? URLComponents(string: issuer)?.host ?? issuer
  }

  /// Where the provider says what it offers (OpenID Connect Discovery 1.0, section 4).
  var discoveryURL: String {
    (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer)
      + "/.well-known/openid-configuration"
  }

  /// Whether a URL may be of a provider: https, or http on this machine alone.
  ///
  /// What the token endpoint answers is trusted for the connection it comes over (OpenID Connect Core 1.0, section 3.1.3.7).
  package static func admits(_ text: String) -> Bool {
    guard let url = URLComponents(string: text), let host = url.host, !host.isEmpty,
      url.user == nil, url.password == nil, url.fragment == nil
    else { return false }
    switch url.scheme {
    case "https": return true
    case "http": return ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host)
    default: return false
    }
  }
}

/// The description and the mirror do not show the secret, so that no log line or dump does.
extension IdentityProvider: CustomStringConvertible, CustomReflectable {
  package var description: String { "IdentityProvider(\(issuer))" }
  package var customMirror: Mirror { Mirror(self, children: ["issuer": issuer]) }
}

import Foundation
import NetworkAddresses

/// The OpenID provider with which people sign in to the dashboard, as the server's operator configures it.
package struct IdentityProvider: Sendable {
  /// The provider's URL, which ends with a slash only if the provider's own one does.
  package var issuer: String
  package var clientID: String
  /// The secret that the provider gave to this server; `nil` for a public client, which only PKCE protects.
  package var clientSecret: String?
  /// The name on the button, such as "Example Inc.".
  package var name: String

  package init(issuer: String, clientID: String, clientSecret: String? = nil, name: String? = nil) {
    self.issuer = issuer
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.name = name ?? URLComponents(string: issuer)?.host ?? issuer
  }

  /// The URL of the provider's discovery document (OpenID Connect Discovery 1.0, section 4).
  var discoveryURL: String {
    (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer)
      + "/.well-known/openid-configuration"
  }

  /// Whether a URL may belong to a provider: https, or http on this machine.
  ///
  /// The token endpoint's answer is trusted because of the connection it arrives on (OpenID Connect Core 1.0, section
  /// 3.1.3.7).
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

/// The description and the mirror do not show the secret, so that logs and dumps do not contain it.
extension IdentityProvider: CustomStringConvertible, CustomReflectable {
  package var description: String { "IdentityProvider(\(issuer))" }
  package var customMirror: Mirror { Mirror(self, children: ["issuer": issuer]) }
}

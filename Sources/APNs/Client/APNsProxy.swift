import FoundationEssentials
import _HTTP2Channel

/// A proxy between this machine and APNs, asked for a tunnel by HTTP CONNECT (RFC 9110 section 9.3.6).
///
/// TLS goes through the tunnel to APNs itself, so the proxy sees host name and port, and no push.
public struct APNsProxy: Sendable, CustomStringConvertible, CustomReflectable {
  /// The proxy's host name or address.
  public var host: String
  /// Its TCP port.
  public var port: UInt16
  /// The user for basic authentication (RFC 7617), who has no colon in the name; `nil` for none.
  public var user: String?
  /// The password for basic authentication.
  public var password: String

  /// Makes a proxy.
  ///
  /// Basic authentication goes over the wire in the clear, as the proxy is spoken to without TLS.
  ///
  /// - Parameters:
  ///   - host: The proxy's host name or address.
  ///   - port: Its TCP port.
  ///   - user: The user, where it asks for one.
  ///   - password: The user's password.
  public init(host: String, port: UInt16, user: String? = nil, password: String = "") {
    self.host = host
    self.port = port
    self.user = user
    self.password = password
  }

  /// Host and port; never the user's password.
  public var description: String { "\(host) port \(port)" }
  /// Host and port; never the user's password.
  public var customMirror: Mirror { Mirror(self, children: ["host": host, "port": port]) }

  func tunnel(to endpoint: APNsEndpoint) -> ProxyTunnel {
    let host = endpoint.host.contains(":") ? "[\(endpoint.host)]" : endpoint.host
    let credentials = user.map { Data("\($0):\(password)".utf8).base64EncodedString() }
    return ProxyTunnel(to: "\(host):\(endpoint.port)", basicCredentials: credentials)
  }
}

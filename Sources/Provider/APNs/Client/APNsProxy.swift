import FoundationEssentials
import _HTTP2Channel

/// A proxy between this machine and APNs that opens a tunnel with HTTP CONNECT (RFC 9110 section 9.3.6).
///
/// TLS ends at APNs, so the proxy sees the host name and port of APNs, but no push.
public struct APNsProxy: Sendable, CustomStringConvertible, CustomReflectable {
  /// The proxy's host name or address.
  public var host: String
  /// Its TCP port.
  public var port: UInt16
  /// The user name for basic authentication (RFC 7617), without a colon; `nil` if the proxy needs no authentication.
  public var user: String?
  /// The password for basic authentication.
  public var password: String

  /// Makes a proxy.
  ///
  /// The connection to the proxy has no TLS, so user name and password are sent in the clear.
  ///
  /// - Parameters:
  ///   - host: The proxy's host name or address.
  ///   - port: Its TCP port.
  ///   - user: The user name for basic authentication; `nil` if the proxy needs no authentication.
  ///   - password: The password for basic authentication.
  public init(host: String, port: UInt16, user: String? = nil, password: String = "") {
    self.host = host
    self.port = port
    self.user = user
    self.password = password
  }

  /// The host and port; never the password.
  public var description: String { "\(host) port \(port)" }
  /// The host and port; never the password.
  public var customMirror: Mirror { Mirror(self, children: ["host": host, "port": port]) }

  func tunnel(to endpoint: APNsEndpoint) -> ProxyTunnel {
    let host = endpoint.host.contains(":") ? "[\(endpoint.host)]" : endpoint.host
    let credentials = user.map { Data("\($0):\(password)".utf8).base64EncodedString() }
    return ProxyTunnel(to: "\(host):\(endpoint.port)", basicCredentials: credentials)
  }
}

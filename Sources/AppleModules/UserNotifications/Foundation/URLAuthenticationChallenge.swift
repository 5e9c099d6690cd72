public import Foundation

/// Foundation's `URLAuthenticationChallenge`, which a delegate never receives on Linux.
open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
  // `@unchecked Sendable`: every property is constant.

  /// The server that asks for authentication.
  public let protectionSpace: URLProtectionSpace
  /// The proposed credential.
  public let proposedCredential: URLCredential?
  /// The number of failed attempts.
  public let previousFailureCount: Int

  /// Creates a challenge, for a test of the delegate's method.
  ///
  /// - Parameters:
  ///   - space: The server that asks for authentication.
  ///   - credential: The proposed credential.
  ///   - previousFailureCount: The number of failed attempts.
  public init(
    protectionSpace space: URLProtectionSpace, proposedCredential credential: URLCredential? = nil,
    previousFailureCount: Int = 0
  ) {
    protectionSpace = space
    proposedCredential = credential
    self.previousFailureCount = previousFailureCount
  }
}

/// Foundation's `URLProtectionSpace`.
open class URLProtectionSpace: NSObject, @unchecked Sendable {
  // `@unchecked Sendable`: every property is constant.

  /// The host.
  public let host: String
  /// The port.
  public let port: Int
  /// The protocol, such as `https`.
  public let `protocol`: String?
  /// The realm.
  public let realm: String?
  /// The method, such as ``NSURLAuthenticationMethodServerTrust``.
  public let authenticationMethod: String

  /// Creates a protection space.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - port: The port.
  ///   - protocol: The protocol, such as `https`.
  ///   - realm: The realm.
  ///   - authenticationMethod: The method; `nil` uses the default one.
  public init(
    host: String, port: Int, protocol: String?, realm: String?, authenticationMethod: String?
  ) {
    self.host = host
    self.port = port
    self.protocol = `protocol`
    self.realm = realm
    self.authenticationMethod = authenticationMethod ?? NSURLAuthenticationMethodDefault
  }

  /// Not available on Linux.
  @available(
    *, unavailable,
    message:
      "There is no SecTrust on Linux; put the code that checks certificates behind #if canImport(Security)."
  )
  public var serverTrust: AnyObject? { nil }
}

/// Foundation's `URLCredential` with a user name and a password.
open class URLCredential: NSObject, @unchecked Sendable {
  // `@unchecked Sendable`: every property is constant.

  /// The time for which a credential is kept; it has no effect on Linux.
  public enum Persistence: UInt, Sendable {
    /// The credential is not kept.
    case none = 0
    /// The credential is kept for the session.
    case forSession = 1
    /// The credential is kept in the keychain.
    case permanent = 2
    /// The credential is kept in the keychain of all devices.
    case synchronizable = 3
  }

  /// The user name.
  public let user: String?
  /// The password.
  public let password: String?
  /// The time for which the credential is kept.
  public let persistence: Persistence

  /// Creates a credential.
  ///
  /// - Parameters:
  ///   - user: The user name.
  ///   - password: The password.
  ///   - persistence: The time for which the credential is kept.
  public init(user: String, password: String, persistence: Persistence) {
    self.user = user
    self.password = password
    self.persistence = persistence
  }
}

/// The default method.
public let NSURLAuthenticationMethodDefault = "NSURLAuthenticationMethodDefault"
/// HTTP Basic.
public let NSURLAuthenticationMethodHTTPBasic = "NSURLAuthenticationMethodHTTPBasic"
/// HTTP Digest.
public let NSURLAuthenticationMethodHTTPDigest = "NSURLAuthenticationMethodHTTPDigest"
/// The check of the server's certificate.
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"
/// A certificate of the client.
public let NSURLAuthenticationMethodClientCertificate = "NSURLAuthenticationMethodClientCertificate"

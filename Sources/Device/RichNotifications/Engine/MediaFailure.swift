import MediaLoading

/// The reason why a media file was not attached.
public struct MediaFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// A kind of failure, as reports print it.
  public struct Reason: RawRepresentable, Hashable, Sendable {
    /// The code, such as `http-status`.
    public let rawValue: String

    /// Creates a reason.
    ///
    /// - Parameter rawValue: Lower-case words joined by hyphens.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The server responded with a status other than 2xx.
    public static let httpStatus = Reason(rawValue: "http-status")
    /// The file is larger than the system's limit for its type.
    public static let tooLarge = Reason(rawValue: "too-large")
    /// The file's bytes are not of a type that the system supports as an attachment.
    public static let unsupportedType = Reason(rawValue: "unsupported-type")
    /// The file is not of the kind that the template names, such as a movie in place of a picture.
    public static let otherKind = Reason(rawValue: "other-kind")
    /// The deadline passed, or the system was about to end the extension.
    public static let timeout = Reason(rawValue: "timeout")
    /// The URL, or one it redirected to, is not `https:`.
    public static let notHTTPS = Reason(rawValue: "not-https")
    /// The URL, or one it redirected to, contains a user name or a password.
    public static let credentials = Reason(rawValue: "credentials-in-url")
    /// ``MediaPolicy/allowedHosts`` does not allow the host.
    public static let hostNotAllowed = Reason(rawValue: "host-not-allowed")
    /// The server has a private, link-local or loopback address.
    public static let privateAddress = Reason(rawValue: "private-address")
    /// The server redirected more often than ``MediaPolicy/maximumRedirects``, or in a loop.
    public static let redirects = Reason(rawValue: "too-many-redirects")
    /// The file's SHA-256 differs from the one in the payload.
    public static let digest = Reason(rawValue: "sha256-mismatch")
    /// The connection failed or was lost.
    public static let network = Reason(rawValue: "network")
    /// The server's certificate is not trusted.
    public static let untrusted = Reason(rawValue: "untrusted")
    /// The device is offline.
    public static let offline = Reason(rawValue: "offline")
    /// Low Data Mode is on, and ``MediaPolicy/lowDataMode`` does not allow this file in it.
    public static let lowDataMode = Reason(rawValue: "low-data-mode")
    /// The notification's media exceed ``MediaPolicy/maximumCount`` or ``MediaPolicy/maximumBytes``.
    public static let budget = Reason(rawValue: "budget")
    /// The extension's bundle and the app group's container have no such file.
    public static let notFound = Reason(rawValue: "not-found")
    /// Neither a URL nor the name of a local file.
    public static let invalidURL = Reason(rawValue: "invalid-url")
    /// The file could not be written or read, for example because the disk is full.
    public static let storage = Reason(rawValue: "storage")
  }

  /// The kind of failure.
  public var reason: Reason
  /// The HTTP status, if there was a response.
  public var status: Int?
  /// The number of bytes of the body that were received.
  public var bytes: Int64
  /// A description of the failure without private data.
  public var message: String
  /// The loader's own description, which may name the host.
  public var details: String?
  /// Whether the failure may be temporary, so that a retry makes sense.
  public var isTransient = false
  /// The time that the server asks to wait before a retry, from `Retry-After`.
  var retryAfter: Duration?

  init(_ reason: Reason, _ message: String, status: Int? = nil, bytes: Int64 = 0) {
    self.reason = reason
    self.status = status
    self.bytes = bytes
    self.message = message
  }

  init(_ error: MediaLoadError, status: Int?, bytes: Int64) {
    let reason: Reason =
      switch error.code {
      case .offline: .offline
      case .canceled: .timeout
      case .unsupportedURL: .invalidURL
      case .untrusted: .untrusted
      case .constrained: .lowDataMode
      case .privateAddress: .privateAddress
      default: .network
      }
    self.init(reason, Self.message(for: reason), status: status, bytes: bytes)
    details = error.message
    isTransient = reason == .network
  }

  private static func message(for reason: Reason) -> String {
    switch reason {
    case .offline: "the device is offline"
    case .timeout: "the load was canceled"
    case .invalidURL: "the loader does not support the URL"
    case .untrusted: "the server's certificate is not trusted"
    case .lowDataMode: "Low Data Mode is on"
    case .privateAddress: "the server has a private, link-local or loopback address"
    default: "the connection failed or was lost"
    }
  }

  /// The message.
  public var description: String { message }
}

import MediaLoading

/// Why media were not attached.
public struct MediaFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure, as reports print it.
  public struct Reason: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Names a reason.
    ///
    /// - Parameter rawValue: Lower-case words joined by hyphens.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The server answered with a status other than 2xx.
    public static let httpStatus = Reason(rawValue: "http-status")
    /// More bytes than the system attaches of this type.
    public static let tooLarge = Reason(rawValue: "too-large")
    /// The bytes are of no type that the system shows.
    public static let unsupportedType = Reason(rawValue: "unsupported-type")
    /// The deadline passed, or the system was about to end the extension.
    public static let timeout = Reason(rawValue: "timeout")
    /// The URL, or one it redirected to, is not `https:`.
    public static let notHTTPS = Reason(rawValue: "not-https")
    /// The URL, or one it redirected to, holds a user name or a password.
    public static let credentials = Reason(rawValue: "credentials-in-url")
    /// The app does not take media from that host.
    public static let hostNotAllowed = Reason(rawValue: "host-not-allowed")
    /// The server has a private, link-local or loopback address.
    public static let privateAddress = Reason(rawValue: "private-address")
    /// One redirect too many, or a circle of them.
    public static let redirects = Reason(rawValue: "too-many-redirects")
    /// The file is not the one that the payload's SHA-256 names.
    public static let digest = Reason(rawValue: "sha256-mismatch")
    /// No connection, or a broken one.
    public static let network = Reason(rawValue: "network")
    /// No trust in the server.
    public static let untrusted = Reason(rawValue: "untrusted")
    /// There is no network.
    public static let offline = Reason(rawValue: "offline")
    /// Low Data Mode is on.
    public static let lowDataMode = Reason(rawValue: "low-data-mode")
    /// Too many files, or too many bytes in all, for one notification.
    public static let budget = Reason(rawValue: "budget")
    /// No such file in the app's bundle or the app group's folder.
    public static let notFound = Reason(rawValue: "not-found")
    /// Neither a URL nor the name of a local file.
    public static let invalidURL = Reason(rawValue: "invalid-url")
    /// The file could not be written: usually the disk is full.
    public static let storage = Reason(rawValue: "storage")
  }

  /// The kind of failure.
  public var reason: Reason
  /// The status, where an answer had come.
  public var status: Int?
  /// How many bytes of the body had come.
  public var bytes: Int64
  /// What happened, in words, without anything private.
  public var message: String
  /// The loader's own words; they may name the host.
  public var details: String?
  /// Whether it may pass, so that another try makes sense.
  public var isTransient = false
  /// How long the server asks to wait before another try.
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
    self.init(reason, Self.words(reason), status: status, bytes: bytes)
    details = error.message
    isTransient = reason == .network
  }

  private static func words(_ reason: Reason) -> String {
    switch reason {
    case .offline: "there is no network"
    case .timeout: "the load was canceled"
    case .invalidURL: "the loader does not take the URL"
    case .untrusted: "the server is not to be trusted"
    case .lowDataMode: "Low Data Mode is on"
    case .privateAddress: "the server has a private, link-local or loopback address"
    default: "the connection failed or broke"
    }
  }

  /// The message.
  public var description: String { message }
}

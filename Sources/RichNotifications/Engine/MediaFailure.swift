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
    /// No connection, a broken one, or no trust in the server.
    public static let network = Reason(rawValue: "network")
    /// There is no network.
    public static let offline = Reason(rawValue: "offline")
    /// No such file in the app's bundle.
    public static let notFound = Reason(rawValue: "not-found")
    /// Neither a URL nor the name of a bundled file.
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
  /// What happened, in words.
  public var message: String

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
      default: .network
      }
    self.init(reason, error.message, status: status, bytes: bytes)
  }

  /// The message.
  public var description: String { message }
}

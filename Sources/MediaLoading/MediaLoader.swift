public import Foundation

/// Fetches a media file's bytes over the network.
///
/// The engine asks for bytes through this protocol alone, so that an app brings `URLSession`, a test
/// brings a script, and a Linux host brings libcurl. A loader never interprets what it fetches: the
/// ``MediaSink`` decides at the head and at every piece whether to go on.
public protocol MediaLoader: Sendable {
  /// Begins to fetch.
  ///
  /// The loader calls the sink serially, from a thread of its own choosing, and ends with exactly one
  /// ``MediaSink/finish(_:)``, also after a cancellation or a refusal.
  ///
  /// - Parameters:
  ///   - request: What to fetch.
  ///   - sink: What receives the answer.
  /// - Returns: What cancels the load.
  func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad
}

/// What to fetch.
public struct MediaRequest: Sendable {
  /// The URL.
  public var url: URL
  /// Whether a redirect may lead to another scheme than `https:`.
  ///
  /// By default not: the loader then ends with ``MediaLoadError/Code/insecureRedirect`` before it asks
  /// the other server for anything.
  public var allowsPlainHTTP: Bool

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - allowsPlainHTTP: Whether a redirect may lead to another scheme than `https:`.
  public init(url: URL, allowsPlainHTTP: Bool = false) {
    self.url = url
    self.allowsPlainHTTP = allowsPlainHTTP
  }
}

/// A load under way.
public protocol MediaLoad: Sendable {
  /// Stops the load soon; the sink is finished with ``MediaLoadError/Code/canceled``.
  ///
  /// Calling it twice, or after the end, does nothing.
  func cancel()
}

/// What receives a load.
public protocol MediaSink: AnyObject, Sendable {
  /// The head of the final answer, after redirects.
  ///
  /// - Parameter head: Status and headers.
  /// - Returns: Whether to go on with the body.
  func receive(_ head: MediaResponseHead) -> MediaLoadDisposition

  /// A piece of the body, valid during the call only.
  ///
  /// - Parameter bytes: At least one byte.
  /// - Returns: Whether to go on.
  func receive(_ bytes: UnsafeRawBufferPointer) -> MediaLoadDisposition

  /// The end: called once.
  ///
  /// - Parameter error: `nil` where the whole body has come.
  func finish(_ error: MediaLoadError?)
}

/// Whether a load goes on.
public enum MediaLoadDisposition: Sendable {
  /// Go on.
  case proceed
  /// Stop here; the loader finishes with ``MediaLoadError/Code/refused``.
  case stop
}

/// The head of an HTTP answer.
public struct MediaResponseHead: Sendable {
  /// The status code.
  public var status: Int
  /// Where the answer came from, after redirects.
  public var url: URL
  /// The `Content-Type`, if there was one.
  public var mimeType: String?
  /// The `Content-Length`, if there was one.
  public var contentLength: Int64?

  /// Makes a head.
  ///
  /// - Parameters:
  ///   - status: The status code.
  ///   - url: Where the answer came from.
  ///   - mimeType: The `Content-Type`.
  ///   - contentLength: The `Content-Length` in bytes.
  public init(status: Int, url: URL, mimeType: String? = nil, contentLength: Int64? = nil) {
    self.status = status
    self.url = url
    self.mimeType = mimeType
    self.contentLength = contentLength
  }
}

/// Why a load ended early.
public struct MediaLoadError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name as reports print it.
    public let rawValue: String

    /// Names a kind.
    ///
    /// - Parameter rawValue: Lower-case words joined by hyphens.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No connection, a broken one, or no trust in the server.
    public static let network = Code(rawValue: "network")
    /// There is no network at all.
    public static let offline = Code(rawValue: "offline")
    /// ``MediaLoad/cancel()`` was called.
    public static let canceled = Code(rawValue: "canceled")
    /// The sink said stop.
    public static let refused = Code(rawValue: "refused")
    /// The loader does not speak the URL's scheme.
    public static let unsupportedURL = Code(rawValue: "unsupported-url")
    /// The server redirected away from `https:`, which the request does not allow.
    public static let insecureRedirect = Code(rawValue: "insecure-redirect")
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, in words.
  public var message: String
  /// The system's own error.
  public var cause: (any Error)?

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - message: What happened, in words.
  ///   - cause: The system's own error.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}

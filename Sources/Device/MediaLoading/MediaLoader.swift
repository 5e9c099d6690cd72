public import Foundation

/// A type that fetches media files over the network.
///
/// The engine loads media only through this protocol: with `URLSession` in an app, a script in a test, and
/// libcurl on Linux. A loader makes one request and does not interpret the response: it follows no
/// redirects, does not retry, and neither sends nor stores cookies or credentials. The ``MediaSink`` decides
/// at the head and at every piece of the body whether to continue.
public protocol MediaLoader: Sendable {
  /// Starts a load.
  ///
  /// The loader calls the sink serially, on any thread. The last call is exactly one
  /// ``MediaSink/finish(_:)``, even after a cancellation or ``MediaLoadDisposition/stop``.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - sink: The object that receives the response.
  /// - Returns: A handle that cancels the load.
  func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad
}

/// A request for a media file.
public struct MediaRequest: Hashable, Sendable {
  /// The URL, `https:` or `http:`.
  public var url: URL
  /// Additional header fields by name.
  ///
  /// They replace the loader's own fields of the same name.
  public var headers: [String: String]
  /// The method, which is `GET` for a media file.
  public var method = "GET"
  /// The body, which a media file's request does not have.
  public var body: Data?
  /// Whether the file may be fetched in Low Data Mode.
  ///
  /// If it is `false` and Low Data Mode is on, the loader sends nothing and finishes with
  /// ``MediaLoadError/Code/constrained``.
  public var allowsConstrainedNetwork: Bool
  /// Whether the server may have a private, link-local or loopback address.
  ///
  /// If it is `false` and the server has such an address, a loader that can see the address sends nothing and
  /// finishes with ``MediaLoadError/Code/privateAddress``. `URLSession` does not show the address before it
  /// connects.
  public var allowsPrivateAddress: Bool

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - headers: Additional header fields by name.
  ///   - allowsConstrainedNetwork: Whether the file may be fetched in Low Data Mode.
  ///   - allowsPrivateAddress: Whether the server may have a private address.
  public init(
    url: URL, headers: [String: String] = [:], allowsConstrainedNetwork: Bool = true,
    allowsPrivateAddress: Bool = true
  ) {
    self.url = url
    self.headers = headers
    self.allowsConstrainedNetwork = allowsConstrainedNetwork
    self.allowsPrivateAddress = allowsPrivateAddress
  }
}

/// A handle of a load in progress.
public protocol MediaLoad: Sendable {
  /// Cancels the load, whose sink is finished with ``MediaLoadError/Code/canceled``.
  ///
  /// Has no effect if the load has ended.
  func cancel()
}

/// An object that receives the response of a load.
public protocol MediaSink: AnyObject, Sendable {
  /// Receives the head of the response, whatever its status.
  ///
  /// - Parameter head: The status and the header fields.
  /// - Returns: Whether to continue with the body.
  func receive(_ head: MediaResponseHead) -> MediaLoadDisposition

  /// Receives a piece of the body.
  ///
  /// - Parameter bytes: At least one byte, valid only during the call.
  /// - Returns: Whether to continue.
  func receive(_ bytes: UnsafeRawBufferPointer) -> MediaLoadDisposition

  /// Receives the end of the load; called once.
  ///
  /// - Parameter error: The error; `nil` if the whole body was received.
  func finish(_ error: MediaLoadError?)
}

/// Whether a load continues.
public enum MediaLoadDisposition: Sendable {
  /// The load continues.
  case proceed
  /// The load stops and finishes with ``MediaLoadError/Code/refused``.
  case stop
}

/// The head of an HTTP response.
public struct MediaResponseHead: Sendable {
  /// The status code.
  public var status: Int
  private var fields: [String: String]

  /// Creates a head.
  ///
  /// - Parameters:
  ///   - status: The status code.
  ///   - headers: The header fields. Of two whose names differ only in case, one is kept.
  public init(status: Int, headers: [String: String] = [:]) {
    self.status = status
    fields = Dictionary(
      headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// The header fields, with names in lower case.
  package var headers: [String: String] { fields }

  /// The value of a header field, without surrounding whitespace.
  ///
  /// - Parameter name: The field's name, in any case.
  public subscript(name: String) -> String? {
    fields[name.lowercased()]?.trimmingCharacters(in: .whitespaces)
  }

  /// The value of `Content-Type`.
  public var mimeType: String? { self["content-type"] }

  /// The length of the body in bytes, if the server announced it and the body is not compressed.
  ///
  /// Source: RFC 9110 section 8.6.
  public var contentLength: Int64? {
    guard isIdentity, let text = self["content-length"], let length = Int64(text), length >= 0
    else { return nil }
    return length
  }

  /// Whether the body has no `Content-Encoding`.
  public var isIdentity: Bool {
    let coding = self["content-encoding"]?.lowercased() ?? ""
    return coding.isEmpty || coding == "identity"
  }
}

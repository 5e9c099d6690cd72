public import Foundation

/// Fetches a media file's bytes over the network.
///
/// The engine asks for bytes through this protocol alone, so that an app brings `URLSession`, a test
/// brings a script, and a Linux host brings libcurl. A loader makes one request and never interprets
/// the answer: it follows no redirect, repeats nothing, keeps and sends no cookie or credential. The
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
public struct MediaRequest: Hashable, Sendable {
  /// The URL, `https:` or `http:`.
  public var url: URL
  /// What to send beside what every request has, by the field's name.
  public var headers: [String: String]
  /// Whether to fetch in Low Data Mode.
  ///
  /// Where it is `false` and the network is constrained, the loader ends with
  /// ``MediaLoadError/Code/constrained`` and sends nothing.
  public var allowsConstrainedNetwork: Bool
  /// Whether the server may have a private, link-local or loopback address.
  ///
  /// Where it is `false`, a loader that sees the address ends with
  /// ``MediaLoadError/Code/privateAddress`` and sends nothing; `URLSession` does not show it in time.
  public var allowsPrivateAddress: Bool

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - headers: What to send beside what every request has.
  ///   - allowsConstrainedNetwork: Whether to fetch in Low Data Mode.
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

/// A load under way.
public protocol MediaLoad: Sendable {
  /// Stops the load soon; the sink is finished with ``MediaLoadError/Code/canceled``.
  ///
  /// Calling it twice, or after the end, does nothing.
  func cancel()
}

/// What receives a load.
public protocol MediaSink: AnyObject, Sendable {
  /// The head of the answer, whatever its status; a redirect too.
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
  private var fields: [String: String]

  /// Makes a head.
  ///
  /// - Parameters:
  ///   - status: The status code.
  ///   - headers: The header fields; of two that differ in case alone one is kept.
  public init(status: Int, headers: [String: String] = [:]) {
    self.status = status
    fields = Dictionary(
      headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// All header fields, their names in lower case.
  package var headers: [String: String] { fields }

  /// The value of a header field, without spaces around it.
  ///
  /// - Parameter name: The field's name, in any case.
  public subscript(name: String) -> String? {
    fields[name.lowercased()]?.trimmingCharacters(in: .whitespaces)
  }

  /// The `Content-Type`, if there was one.
  public var mimeType: String? { self["content-type"] }

  /// The length of the body that follows, if it was announced and the body is not compressed.
  ///
  /// Source: RFC 9110 section 8.6.
  public var contentLength: Int64? {
    guard isIdentity, let text = self["content-length"], let length = Int64(text), length >= 0
    else { return nil }
    return length
  }

  /// Whether the body is as the file is, without a `Content-Encoding`.
  public var isIdentity: Bool {
    let coding = self["content-encoding"]?.lowercased() ?? ""
    return coding.isEmpty || coding == "identity"
  }
}

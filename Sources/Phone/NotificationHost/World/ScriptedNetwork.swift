public import Foundation
public import MediaLoading
import PushPayload
public import RichNotifications

/// A network whose responses a test defines.
///
/// Responses are timed by the host's clock, so that a slow download takes no real time.
public final class ScriptedNetwork: MediaLoader {
  /// The response of a URL.
  ///
  /// A response with an `ETag` supports range requests (RFC 9110 section 13.1.5): if `If-Range` has that tag, the
  /// response to a `Range` is 206 with the rest, otherwise the whole body.
  public struct Response: Sendable {
    /// The status.
    public var status = 200
    /// The header fields, which override those that the network adds.
    public var headers: [String: String] = [:]
    /// The body; `nil` if the response has no body.
    public var body: Body?
    /// The `Content-Type`.
    public var mimeType: String?
    /// Whether the response has a `Content-Length`.
    public var announcesLength = true
    /// The value of `Content-Length`; `nil` announces the body's length.
    ///
    /// A shorter body ends with a lost connection; the rest of a longer body is not sent.
    public var announcedLength: Int64?
    /// The number of bytes after which the server stops sending; `nil` if it sends everything.
    public var stallsAfter: Int?
    /// The number of bytes after which the connection is lost; `nil` if it is not lost.
    public var breaksAfter: Int?
    /// The error that ends the load in place of a response; `nil` if the server responds.
    public var failure: MediaLoadError.Code?

    /// The URL of a redirect.
    ///
    /// Setting it sets the status 302 and `Location`.
    public var redirectsTo: URL? {
      get { headers["Location"].flatMap { URL(string: $0) } }
      set {
        headers["Location"] = newValue?.absoluteString
        status = newValue == nil ? 200 : 302
      }
    }

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - headers: The header fields, which override those that the network adds.
    ///   - body: The body.
    public init(status: Int = 200, headers: [String: String] = [:], body: Body? = nil) {
      self.status = status
      self.headers = headers
      self.body = body
    }
  }

  /// The body of a response.
  public enum Body: Sendable {
    /// The given bytes.
    case bytes([UInt8])
    /// The content of a file, which is read piece by piece.
    case file(URL)
    /// The given bytes, repeated without end.
    case endless([UInt8])

    /// A PNG of one gray pixel, for tests that need any picture.
    public static let onePixelPNG = Body.bytes([
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A,  // the signature
      0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0,  // IHDR
      0x3A, 0x7E, 0x9B, 0x55,
      0, 0, 0, 10, 0x49, 0x44, 0x41, 0x54,  // IDAT
      0x78, 0xDA, 0x63, 0x68, 0, 0, 0, 0x82, 0, 0x81, 0xDA, 0x45, 0x08, 0x3B,
      0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,  // IEND
    ])
  }

  private struct Script: Sendable {
    var responses: [String: [Response]]
    var requests: [MediaRequest] = []

    /// Takes the next response of a URL, whose last one is repeated.
    mutating func next(for request: MediaRequest) -> Response? {
      requests.append(request)
      let url = request.url.absoluteString
      guard let response = responses[url]?.first else { return nil }
      if responses[url]?.dropFirst().isEmpty == false { responses[url]?.removeFirst() }
      return response
    }
  }

  /// The time from the request to the head of the response.
  public let latency: Duration
  /// The bandwidth in bytes per second; `nil` if it is not limited.
  public let bandwidth: Int?
  /// Whether Low Data Mode is on.
  ///
  /// Requests that do not allow it fail with `constrained`.
  public let isConstrained: Bool
  /// App Transport Security of the extension; `nil` allows any URL.
  public let transportSecurity: TransportSecurity?
  private let clock: any DeliveryClock
  private let script: Locked<Script>

  /// Creates a network with one response for each URL.
  ///
  /// - Parameters:
  ///   - responses: The response of each URL. Any other URL fails with the reason `offline`.
  ///   - clock: The host's clock.
  ///   - latency: The time from the request to the head of the response.
  ///   - bandwidth: The bandwidth in bytes per second; `nil` if it is not limited.
  ///   - isConstrained: Whether Low Data Mode is on.
  ///   - transportSecurity: App Transport Security of the extension; `nil` allows any URL.
  public convenience init(
    _ responses: [String: Response] = [:], clock: any DeliveryClock, latency: Duration = .zero,
    bandwidth: Int? = nil, isConstrained: Bool = false,
    transportSecurity: TransportSecurity? = nil
  ) {
    self.init(
      inSequence: responses.mapValues { [$0] }, clock: clock, latency: latency,
      bandwidth: bandwidth,
      isConstrained: isConstrained, transportSecurity: transportSecurity)
  }

  /// Creates a network with a sequence of responses for each URL.
  ///
  /// - Parameters:
  ///   - responses: The responses of each URL in order; the last one is repeated. Any other URL fails with
  ///     the reason `offline`.
  ///   - clock: The host's clock.
  ///   - latency: The time from the request to the head of the response.
  ///   - bandwidth: The bandwidth in bytes per second; `nil` if it is not limited.
  ///   - isConstrained: Whether Low Data Mode is on.
  ///   - transportSecurity: App Transport Security of the extension; `nil` allows any URL.
  public init(
    inSequence responses: [String: [Response]], clock: any DeliveryClock, latency: Duration = .zero,
    bandwidth: Int? = nil, isConstrained: Bool = false,
    transportSecurity: TransportSecurity? = nil
  ) {
    script = Locked(Script(responses: responses))
    self.clock = clock
    self.latency = latency
    self.bandwidth = bandwidth
    self.isConstrained = isConstrained
    self.transportSecurity = transportSecurity
  }

  /// The requests that were sent, in order.
  public var requests: [MediaRequest] { script.withLock { $0.requests } }

  /// Starts a load that receives the defined response.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - sink: The object that receives the response, on the clock's thread.
  /// - Returns: A handle that cancels the load.
  public func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    let outcome = outcome(of: request)
    let transfer = ScriptedTransfer(outcome, sink: sink, clock: clock, bandwidth: bandwidth)
    transfer.start(after: latency)
    return transfer
  }

  /// The response to a request, or the error of a request that is not sent.
  private func outcome(of request: MediaRequest) -> Result<ScriptedReply, MediaLoadError> {
    if let refusal = request.refusal { return .failure(refusal) }
    if let transportSecurity, !transportSecurity.allows(request.url) {
      return .failure(MediaLoadError(.network, "App Transport Security blocks cleartext HTTP"))
    }
    guard !isConstrained || request.allowsConstrainedNetwork else {
      return .failure(MediaLoadError(.constrained, "Low Data Mode is on"))
    }
    guard let response = script.withLock({ $0.next(for: request) }) else {
      return .failure(MediaLoadError(.offline, "the scripted network has no response for this URL"))
    }
    if let code = response.failure {
      return .failure(MediaLoadError(code, "the scripted failure \(code.rawValue)"))
    }
    return .success(ScriptedReply(response, to: request))
  }
}

public import Foundation
import Synchronization

/// Foundation's `URLProtocol`: the base class of code that answers requests in place of the network.
///
/// Name subclasses in `URLSessionConfiguration.protocolClasses`, or register them for the shared session.
open class URLProtocol: NSObject {
  private static let registered = Mutex<[URLProtocol.Type]>([])

  /// The request.
  public let request: URLRequest
  /// The cached response; always `nil` on Linux.
  public let cachedResponse: CachedURLResponse?
  /// The object that receives the response.
  public let client: (any URLProtocolClient)?

  /// Creates an object that answers one request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - cachedResponse: The cached response.
  ///   - client: The object that receives the response.
  public required init(
    request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
  ) {
    self.request = request
    self.cachedResponse = cachedResponse
    self.client = client
  }

  /// Says whether the class answers a request; subclasses override it.
  ///
  /// - Parameter request: The request, with its body as a stream, as on a phone.
  /// - Returns: Whether the class answers the request.
  open class func canInit(with request: URLRequest) -> Bool { false }

  /// The request in a standard form, for subclasses to override; the base class does not change it.
  ///
  /// - Parameter request: The request.
  /// - Returns: The request that an object is created with.
  open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  /// Answers the request by calls of ``client``, for subclasses to override.
  open func startLoading() {}

  /// Stops answering after the end or a cancellation, for subclasses to override.
  open func stopLoading() {}

  /// Registers a class for the shared session of every extension in this process.
  ///
  /// - Parameter protocolClass: A subclass of `URLProtocol`.
  /// - Returns: Whether the class is a subclass of `URLProtocol`.
  @discardableResult open class func registerClass(_ protocolClass: AnyClass) -> Bool {
    guard let kind = protocolClass as? URLProtocol.Type else { return false }
    registered.withLock { $0.append(kind) }
    return true
  }

  /// Removes a class that was registered.
  ///
  /// - Parameter protocolClass: The class.
  open class func unregisterClass(_ protocolClass: AnyClass) {
    registered.withLock { $0.removeAll { $0 == protocolClass } }
  }

  /// The registered classes in the order in which they are asked: the last one first.
  static var registeredClasses: [URLProtocol.Type] { registered.withLock { $0.reversed() } }
}

/// Foundation's `URLProtocolClient`, the receiver of the answer of a `URLProtocol`.
public protocol URLProtocolClient: NSObjectProtocol {
  /// Receives the head of the response.
  ///
  /// - Parameters:
  ///   - protocol: The object that answers.
  ///   - response: The head.
  ///   - policy: Ignored on Linux, because responses are not stored.
  func urlProtocol(
    _ protocol: URLProtocol, didReceive response: URLResponse,
    cacheStoragePolicy policy: URLCache.StoragePolicy)

  /// Receives a piece of the body.
  ///
  /// - Parameters:
  ///   - protocol: The object that answers.
  ///   - data: The piece.
  func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)

  /// Receives a redirect.
  ///
  /// - Parameters:
  ///   - protocol: The object that answers.
  ///   - request: The request to send next.
  ///   - redirectResponse: The redirect.
  func urlProtocol(
    _ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse)

  /// Receives the end.
  ///
  /// - Parameter protocol: The object that answers.
  func urlProtocolDidFinishLoading(_ protocol: URLProtocol)

  /// Receives an error.
  ///
  /// - Parameters:
  ///   - protocol: The object that answers.
  ///   - error: The error.
  func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)
}

extension URLCache {
  /// The policy for storing a response; it has no effect on Linux.
  public enum StoragePolicy: UInt, Sendable {
    /// The response is stored in memory and on the disk.
    case allowed = 0
    /// The response is stored in memory.
    case allowedInMemoryOnly = 1
    /// The response is not stored.
    case notAllowed = 2
  }
}

extension URLSession {
  /// The class that answers a request in place of the network; `nil` if no class does.
  func protocolClass(for request: URLRequest) -> URLProtocol.Type? {
    let registered = self === URLSession.shared ? URLProtocol.registeredClasses : []
    let given = (settings.protocolClasses ?? []).compactMap { $0 as? URLProtocol.Type }
    return (registered + given).first { $0.canInit(with: request.withBodyStream) }
  }
}

extension URLRequest {
  /// The request with its body as a stream, as a phone passes it to a `URLProtocol`.
  var withBodyStream: URLRequest {
    guard let body = httpBody else { return self }
    var request = self
    request.httpBodyStream = InputStream(data: body)
    return request
  }
}

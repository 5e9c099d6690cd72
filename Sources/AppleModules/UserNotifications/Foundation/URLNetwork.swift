public import Foundation

/// The network that a host provides for the sessions of an extension.
@_spi(Host) public protocol URLNetwork: Sendable {
  /// Sends one request, whose redirects are not followed.
  ///
  /// The events are received one after the other; the last one is ``URLLoadEvent/end(_:)``.
  ///
  /// - Parameters:
  ///   - request: The request, with its body in `httpBody`.
  ///   - timeout: The maximum time without data, in seconds.
  ///   - receive: Receives the events of the load.
  /// - Returns: A closure that cancels the load.
  func load(
    _ request: URLRequest, timeout: TimeInterval,
    receive: @escaping @Sendable (URLLoadEvent) -> Void
  ) -> @Sendable () -> Void

  /// Keeps the host's clock from jumping while code of the extension is called.
  ///
  /// - Returns: A closure that ends the hold, to be called once.
  func hold() -> @Sendable () -> Void
}

/// An event of a load.
@_spi(Host) public enum URLLoadEvent: Sendable {
  /// The head of the response.
  case response(URLResponse)
  /// A redirect that a `URLProtocol` reports, and the request that it proposes.
  case redirect(URLResponse, URLRequest)
  /// A piece of the body.
  case data(Data)
  /// The end; `nil` if the whole body was received.
  case end((any Error)?)
}

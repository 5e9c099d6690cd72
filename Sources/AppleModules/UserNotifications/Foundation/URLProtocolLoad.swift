import Foundation
import Synchronization

/// A load that a `URLProtocol` answers.
final class URLProtocolLoad: NSObject, URLProtocolClient, Sendable {
  /// The object that answers.
  ///
  /// `@unchecked Sendable`: as on a phone, it is started and stopped by threads of the system, one after the other.
  private struct Answering: @unchecked Sendable {
    var object: URLProtocol
  }

  private struct State: Sendable {
    var answering: Answering?
    var isOver = false
  }

  private let kind: URLProtocol.Type
  private let request: URLRequest
  private let world: UNWorld
  private let receive: @Sendable (URLLoadEvent) -> Void
  private let state = Mutex(State())

  init(
    _ kind: URLProtocol.Type, _ request: URLRequest, in world: UNWorld,
    receive: @escaping @Sendable (URLLoadEvent) -> Void
  ) {
    self.kind = kind
    self.request = request
    self.world = world
    self.receive = receive
  }

  /// Starts the answer on a thread of its own, and returns a closure that stops it.
  func start() -> @Sendable () -> Void {
    let release = world.network?.hold()
    Thread.detachNewThread { [self] in
      world.run {
        let object = kind.init(
          request: kind.canonicalRequest(for: request.withBodyStream), cachedResponse: nil,
          client: self)
        let answering = Answering(object: object)
        let isNeeded = state.withLock { state in
          if !state.isOver { state.answering = answering }
          return !state.isOver
        }
        if isNeeded { object.startLoading() }
      }
      release?()
    }
    return { self.stopLoad(nil) }
  }

  private func stopLoad(_ event: URLLoadEvent?) {
    let answering = state.withLock { state in
      defer { state = State(isOver: true) }
      return state.answering
    }
    if let event { receive(event) }
    answering?.object.stopLoading()
  }

  func urlProtocol(
    _ protocol: URLProtocol, didReceive response: URLResponse,
    cacheStoragePolicy policy: URLCache.StoragePolicy
  ) { receive(.response(response)) }

  func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) { receive(.data(data)) }

  func urlProtocol(
    _ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse
  ) { receive(.redirect(redirectResponse, request)) }

  func urlProtocolDidFinishLoading(_ protocol: URLProtocol) { stopLoad(.end(nil)) }

  func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
    stopLoad(.end(error))
  }
}

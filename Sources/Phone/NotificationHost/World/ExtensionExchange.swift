import Foundation
import MediaLoading
import PushPayload
import RichNotifications
@_spi(Host) import UserNotifications

extension UNWorld {
  /// Creates the environment of an app's extension.
  init(app: VirtualPhone.App, clock: any HostClock, behavior: HostBehavior) {
    self.init()
    checksFileAtInit = behavior.checksFileAtInit
    megabyte = behavior.megabyte
    center = app.center
    temporaryDirectory = app.temporaryDirectory
    container = app.container
    bundle = app.extensionBundle.flatMap { Bundle(url: $0) }
    keychain = app.extensionKeychain
    if let name = app.appGroupIdentifier, let folder = app.appGroup { appGroups[name] = folder }
    guard let loader = app.network else { return }
    network = ExtensionNetwork(
      loader: loader, clock: clock, security: app.transportSecurity, room: app.freeDiskSpace)
  }
}

/// The host's network, for the replacement of `URLSession`.
private struct ExtensionNetwork: URLNetwork {
  let loader: any MediaLoader
  let clock: any HostClock
  let security: TransportSecurity
  let room: Int64?

  func load(
    _ request: URLRequest, timeout: TimeInterval,
    receive: @escaping @Sendable (URLLoadEvent) -> Void
  ) -> @Sendable () -> Void {
    let exchange = ExtensionExchange(
      clock: clock, room: room, timeout: .seconds(timeout), receiveEvent: receive)
    do throws(URLError) {
      exchange.begin(try mediaRequest(request), over: loader)
    } catch {
      exchange.settle(error)
    }
    return { exchange.settle(URLError(.cancelled)) }
  }

  /// The request for the host's loader.
  private func mediaRequest(_ request: URLRequest) throws(URLError) -> MediaRequest {
    guard let url = request.url, let scheme = url.scheme?.lowercased() else {
      throw URLError(.badURL)
    }
    guard ["http", "https"].contains(scheme) else { throw URLError(.unsupportedURL) }
    guard security.allows(url) else {
      throw URLError(.appTransportSecurityRequiresSecureConnection)
    }
    var result = MediaRequest(
      url: url, headers: request.allHTTPHeaderFields ?? [:],
      allowsConstrainedNetwork: request.allowsConstrainedNetworkAccess)
    (result.method, result.body) = (request.httpMethod ?? "GET", request.httpBody)
    return result
  }

  func hold() -> @Sendable () -> Void {
    let hold = clock.hold(freezeLimit: InProcessExtension.freezeLimit)
    return { hold.releaseAfterTasks() }
  }
}

/// One request of the replacement of `URLSession`, over the host's network.
private final class ExtensionExchange: MediaSink {
  private struct State: Sendable {
    var url: URL?
    var size = 0
    var timeout: (any ScheduledWork)?
    var load: (any MediaLoad)?
    var isOver = false
  }

  /// The maximum size of a response in bytes, above the largest attachment limit.
  private static let sizeLimit = 64_000_000

  private let clock: any HostClock
  private let room: Int64?
  private let timeout: Duration
  private let receiveEvent: @Sendable (URLLoadEvent) -> Void
  private let state = Locked(State())

  init(
    clock: any HostClock, room: Int64?, timeout: Duration,
    receiveEvent: @escaping @Sendable (URLLoadEvent) -> Void
  ) {
    self.clock = clock
    self.room = room
    self.timeout = timeout
    self.receiveEvent = receiveEvent
  }

  func begin(_ request: MediaRequest, over loader: any MediaLoader) {
    state.withLock { $0.url = request.url }
    restartTimeout()
    let load = loader.load(request, into: self)
    let isOver = state.withLock { state in
      state.load = load
      return state.isOver
    }
    if isOver { load.cancel() }
  }

  /// Starts the timeout again, because data was received.
  private func restartTimeout() {
    let next = clock.schedule(after: timeout) { self.settle(URLError(.timedOut)) }
    let (before, isOver) = state.withLock { state in
      defer { if !state.isOver { state.timeout = next } }
      return (state.timeout, state.isOver)
    }
    before?.cancel()
    if isOver { next.cancel() }
  }

  func receive(_ head: MediaResponseHead) -> MediaLoadDisposition {
    let (url, isOver) = state.withLock { ($0.url, $0.isOver) }
    guard !isOver else { return .stop }
    restartTimeout()
    // The head has its names in lower case, and the system has the usual ones.
    let fields = head.headers.map { ($0.key.capitalized, $0.value) }
    guard let url,
      let response = HTTPURLResponse(
        url: url, statusCode: head.status, httpVersion: "HTTP/1.1",
        headerFields: Dictionary(fields) { first, _ in first })
    else { return .stop }
    receiveEvent(.response(response))
    return .proceed
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> MediaLoadDisposition {
    let piece = Data(bytes)
    let (size, isOver) = state.withLock { state in
      state.size += piece.count
      return (state.size, state.isOver)
    }
    guard !isOver else { return .stop }
    restartTimeout()
    if let room, size > room {
      settle(URLError(.cannotWriteToFile))
      return .stop
    }
    guard size <= Self.sizeLimit else {
      settle(URLError(.dataLengthExceedsMaximum))
      return .stop
    }
    receiveEvent(.data(piece))
    return .proceed
  }

  func finish(_ error: MediaLoadError?) { settle(error.map { URLError(Self.code(of: $0)) }) }

  func settle(_ error: URLError?) {
    let last: State? = state.withLock { state in
      guard !state.isOver else { return nil }
      defer { state = State(isOver: true) }
      return state
    }
    guard let last else { return }
    last.timeout?.cancel()
    last.load?.cancel()
    receiveEvent(.end(error))
  }

  private static func code(of error: MediaLoadError) -> URLError.Code {
    switch error.code {
    case .offline: .notConnectedToInternet
    case .untrusted: .serverCertificateUntrusted
    case .constrained: .dataNotAllowed
    case .canceled: .cancelled
    case .unsupportedURL: .unsupportedURL
    default: .networkConnectionLost
    }
  }
}

extension ClockHold {
  /// Releases the hold when the tasks that the calling thread has started are not waiting for a thread any more.
  ///
  /// This task is behind them in the same queue, which other tests can keep busy for long.
  func releaseAfterTasks() { Task.detached { release() } }
}

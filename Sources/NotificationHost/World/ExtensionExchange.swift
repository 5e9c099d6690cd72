import Foundation
import MediaLoading
import RichNotifications
@_spi(Host) import UserNotifications

extension UNWorld {
  /// Creates the environment of an app's extension.
  init(app: NotificationHost.App, clock: any HostClock, behavior: HostBehavior) {
    self.init()
    checksFileAtInit = behavior.checksFileAtInit
    megabyte = behavior.megabyte
    center = app.center
    temporaryDirectory = app.temporaryDirectory
    container = app.container
    bundle = app.extensionBundle.flatMap { Bundle(url: $0) }
    if let name = app.appGroupIdentifier, let folder = app.appGroup { appGroups[name] = folder }
    schedule = { delay, work in
      let work = clock.schedule(after: delay, work)
      return { work.cancel() }
    }
    guard let loader = app.network else { return }
    let (security, room) = (app.transportSecurity, app.freeDiskSpace)
    network = { request, timeout, completion in
      let exchange = ExtensionExchange(
        loader: loader, clock: clock, security: security, room: room,
        timeout: .seconds(timeout), completion: completion)
      exchange.begin(request)
      return { exchange.end(.failure(URLError(.cancelled))) }
    }
  }
}

/// One request of the replacement of `URLSession`, with its redirects, over the host's network.
private final class ExtensionExchange: MediaSink {
  typealias Answer = Result<(HTTPURLResponse, Data), URLError>

  private struct State: Sendable {
    var request: URLRequest?
    var head: MediaResponseHead?
    var body = Data()
    var redirects = 0
    var timeout: (any ScheduledWork)?
    var load: (any MediaLoad)?
    var isOver = false
  }

  /// The number of redirects that `URLSession` follows.
  private static let redirectLimit = 16
  /// The maximum size of a response in bytes, above the largest attachment limit.
  private static let sizeLimit = 64_000_000

  private let loader: any MediaLoader
  private let clock: any HostClock
  private let security: TransportSecurity
  private let room: Int64?
  private let timeout: Duration
  private let completion: @Sendable (Answer) -> Void
  private let state = HostLocked(State())

  init(
    loader: any MediaLoader, clock: any HostClock, security: TransportSecurity, room: Int64?,
    timeout: Duration, completion: @escaping @Sendable (Answer) -> Void
  ) {
    self.loader = loader
    self.clock = clock
    self.security = security
    self.room = room
    self.timeout = timeout
    self.completion = completion
  }

  func begin(_ request: URLRequest) {
    guard let url = request.url, let scheme = url.scheme?.lowercased() else {
      return end(.failure(URLError(.badURL)))
    }
    guard ["http", "https"].contains(scheme) else {
      return end(.failure(URLError(.unsupportedURL)))
    }
    guard security.allows(url) else {
      return end(.failure(URLError(.appTransportSecurityRequiresSecureConnection)))
    }
    state.withLock {
      $0.request = request
      $0.head = nil
      $0.body = Data()
    }
    restartTimeout()
    let load = loader.load(
      MediaRequest(
        url: url, headers: request.allHTTPHeaderFields ?? [:],
        allowsConstrainedNetwork: request.allowsConstrainedNetworkAccess), into: self)
    let isOver = state.withLock { state in
      state.load = load
      return state.isOver
    }
    if isOver { load.cancel() }
  }

  /// Starts the timeout again, because data was received.
  private func restartTimeout() {
    let next = clock.schedule(after: timeout) { self.end(.failure(URLError(.timedOut))) }
    let before = state.withLock { state in
      defer { state.timeout = next }
      return state.timeout
    }
    before?.cancel()
  }

  func receive(_ head: MediaResponseHead) -> MediaLoadDisposition {
    restartTimeout()
    state.withLock { $0.head = head }
    return .proceed
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> MediaLoadDisposition {
    restartTimeout()
    let piece = Data(bytes)
    let size = state.withLock { state in
      state.body.append(piece)
      return state.body.count
    }
    if let room, size > room {
      end(.failure(URLError(.cannotWriteToFile)))
      return .stop
    }
    guard size <= Self.sizeLimit else {
      end(.failure(URLError(.dataLengthExceedsMaximum)))
      return .stop
    }
    return .proceed
  }

  func finish(_ error: MediaLoadError?) {
    if let error { return end(.failure(URLError(Self.code(of: error)))) }
    let (head, body, request) = state.withLock { ($0.head, $0.body, $0.request) }
    guard let head, var request, let url = request.url else {
      return end(.failure(URLError(.badServerResponse)))
    }
    if (301...308).contains(head.status), head.status != 304, head.status != 306,
      let target = head["location"].flatMap({ URL(string: $0, relativeTo: url)?.absoluteURL })
    {
      let count = state.withLock { state in
        state.redirects += 1
        return state.redirects
      }
      guard count <= Self.redirectLimit else {
        return end(.failure(URLError(.httpTooManyRedirects)))
      }
      request.url = target
      return begin(request)
    }
    guard
      let response = HTTPURLResponse(
        url: url, statusCode: head.status, httpVersion: "HTTP/1.1", headerFields: head.headers)
    else { return end(.failure(URLError(.badServerResponse))) }
    end(.success((response, body)))
  }

  func end(_ answer: Answer) {
    let last: State? = state.withLock { state in
      guard !state.isOver else { return nil }
      defer { state = State(isOver: true) }
      return state
    }
    guard let last else { return }
    last.timeout?.cancel()
    last.load?.cancel()
    // The completion is the extension's code, which runs on its own thread.
    let hold = clock.hold(freezeLimit: InProcessExtension.freezeLimit)
    let completion = completion
    Thread.detachNewThread {
      completion(answer)
      hold.releaseAfterTasks()
    }
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

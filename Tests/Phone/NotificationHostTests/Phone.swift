import Foundation
import MediaLoading
import NotificationHost
import PushPayload
import RichNotifications
import Synchronization
import TestSupport
import Testing
@_spi(Host) import UserNotifications

/// A host with an app whose extension is a `RichNotificationService`.
final class Phone: Sendable {
  let folder = TemporaryFolder()
  let clock: VirtualClock
  let network: ScriptedNetwork
  /// The notification center with the registered categories.
  let center: UNUserNotificationCenter
  private let categories: [String]
  private let configuration: RichConfiguration
  private let behavior: HostBehavior
  private let change: @Sendable (inout RichEnvironment) -> Void
  private let outcome = Mutex<EnrichedContent?>(nil)
  private let calls = Mutex(0)
  private let service = Mutex<Service?>(nil)

  /// - Parameter environment: Changes the extension's environment.
  init(
    _ answers: [String: ScriptedNetwork.Response] = [:],
    inSequence: [String: [ScriptedNetwork.Response]] = [:], latency: Duration = .zero,
    bandwidth: Int? = nil, isConstrained: Bool = false, categories: [String] = [],
    configuration: RichConfiguration = RichConfiguration(), behavior: HostBehavior = HostBehavior(),
    clock: VirtualClock = VirtualClock(),
    center: UNUserNotificationCenter = UNUserNotificationCenter(readsUntilVisible: 0),
    environment: @escaping @Sendable (inout RichEnvironment) -> Void = { _ in }
  ) throws {
    self.clock = clock
    network = ScriptedNetwork(
      inSequence: answers.mapValues { [$0] }.merging(inSequence) { $1 }, clock: clock,
      latency: latency,
      bandwidth: bandwidth, isConstrained: isConstrained)
    self.categories = categories
    self.configuration = configuration
    self.behavior = behavior
    self.center = center
    change = environment
  }

  /// The engine's result for the last push.
  var enriched: EnrichedContent? { outcome.withLock { $0 } }
  /// The number of calls of the handler, late calls included.
  var handlerCalls: Int { calls.withLock { $0 } }
  /// The files in the extension's folder, except those of the system's store.
  var leftovers: [String] { folder.contents.filter { $0 != "Attachments" } }

  func deliver(_ json: String, pushType: String? = "alert") async throws -> DeliveryReport {
    try await deliver(json, pushType: pushType, configuration, over: network)
  }

  func deliver(
    _ json: String, pushType: String? = "alert", _ configuration: RichConfiguration,
    over loader: any MediaLoader
  ) async throws -> DeliveryReport {
    let payload = try JSONValue(parsing: json)
    return await deliver(payload, pushType: pushType, configuration, over: loader)
  }

  func deliver(
    _ payload: JSONValue, pushType: String? = "alert", _ configuration: RichConfiguration? = nil,
    over loader: (any MediaLoader)? = nil, by shared: Service? = nil
  ) async -> DeliveryReport {
    let make: @Sendable () -> Service = { shared ?? self.makeService(configuration, loader) }
    var app = VirtualPhone.App(container: folder.url) {
      let service = make()
      self.service.withLock { $0 = service }
      return service
    }
    app.temporaryDirectory = folder.url
    app.center = center
    app.worksOnHostAlone = true
    let message = PushMessage(payload: payload, pushType: pushType)
    return await VirtualPhone(app: app, clock: clock, behavior: behavior).deliver(message)
  }

  /// Creates an extension whose handler calls are counted.
  func makeService(
    _ configuration: RichConfiguration? = nil, _ loader: (any MediaLoader)? = nil
  ) -> Service {
    let own = settings(configuration ?? self.configuration, loader ?? network)
    return Service(own.0, own.1) { [weak self] in self?.calls.withLock { $0 += 1 } }
  }

  /// Calls `serviceExtensionTimeWillExpire`.
  func warn() { service.withLock { $0 }?.serviceExtensionTimeWillExpire() }

  /// Waits for one minute of virtual time.
  func runOn() async {
    await withCheckedContinuation { continuation in
      _ = clock.schedule(after: .seconds(60)) { continuation.resume() }
    }
  }

  private func settings(
    _ configuration: RichConfiguration, _ loader: any MediaLoader
  ) -> (RichConfiguration, RichEnvironment) {
    var configuration = configuration
    let delivered = configuration.delivered
    configuration.delivered = { [weak self] content in
      self?.outcome.withLock { $0 = content }
      delivered?(content)
    }
    let bundle = Fixtures.url("media")
    var environment = RichEnvironment(
      loader: loader, clock: clock, temporaryDirectory: folder.url,
      bundledFile: { name in
        let file = bundle.appending(path: name)
        return FileManager.default.fileExists(atPath: file.path()) ? file : nil
      },
      categories: categories)
    change(&environment)
    return (configuration, environment)
  }

  /// An app's extension.
  ///
  /// `@unchecked Sendable`: its properties are constants, and the state of the base class is protected by
  /// a lock, because the system calls its methods on different threads.
  final class Service: RichNotificationService, @unchecked Sendable {
    private let own: (RichConfiguration, RichEnvironment)
    private let called: @Sendable () -> Void

    init(
      _ configuration: RichConfiguration, _ environment: RichEnvironment,
      called: @escaping @Sendable () -> Void = {}
    ) {
      own = (configuration, environment)
      self.called = called
      super.init()
    }

    override var configuration: RichConfiguration { own.0 }
    override var environment: RichEnvironment { own.1 }

    override func didReceive(
      _ request: UNNotificationRequest,
      withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
      super.didReceive(request) { [called] content in
        called()
        contentHandler(content)
      }
    }
  }
}

extension ScriptedNetwork.Response {
  static func fixture(_ name: String) -> Self { Self(body: .file(Fixtures.url("media/\(name)"))) }

  /// Returns a copy with changes.
  func with(_ change: (inout Self) -> Void) -> Self {
    var answer = self
    change(&answer)
    return answer
  }
}

extension TemporaryFolder {
  /// A response with the first bytes of a fixture, filled with zeros to the given length.
  func sparse(_ fixture: String, bytes: Int, as name: String) throws -> URL {
    let file = try write(Fixtures.bytes("media/\(fixture)").prefix(bytes), to: name)
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: UInt64(bytes))
    try handle.close()
    return file
  }
}

/// Payloads in Martlet's own dialect.
enum Push {
  static func media(_ urls: String..., alternativeText: String = "alt") -> JSONValue {
    media(urls.map { ["url": .string($0)] }, alternativeText: alternativeText)
  }

  static func media(_ items: [JSONValue], alternativeText: String = "alt") -> JSONValue {
    [
      "aps": ["alert": ["title": "T", "body": "B"], "mutable-content": 1],
      "_nid": "n-1",
      "_martlet": ["media": .array(items), "alternative_text": .string(alternativeText)],
    ]
  }
}

/// A loader that reports every request and every piece to the test.
final class WatchedNetwork: MediaLoader {
  private let network: any MediaLoader
  private let requested: @Sendable (MediaRequest) -> Void
  private let received: @Sendable (Int) -> Void

  init(
    _ network: any MediaLoader, requested: @escaping @Sendable (MediaRequest) -> Void = { _ in },
    received: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    self.network = network
    self.requested = requested
    self.received = received
  }

  func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    requested(request)
    return network.load(request, into: Sink(sink: sink, received: received))
  }

  private final class Sink: MediaSink {
    let sink: any MediaSink
    let received: @Sendable (Int) -> Void

    init(sink: any MediaSink, received: @escaping @Sendable (Int) -> Void) {
      self.sink = sink
      self.received = received
    }

    func receive(_ head: MediaResponseHead) -> MediaLoadDisposition { sink.receive(head) }
    func receive(_ bytes: UnsafeRawBufferPointer) -> MediaLoadDisposition {
      received(bytes.count)
      return sink.receive(bytes)
    }
    func finish(_ error: MediaLoadError?) { sink.finish(error) }
  }
}

/// A clock that records all scheduled work, each from the first read of the
/// clock to its due time, because on a busy machine time may advance before the scheduling.
final class RecordingClock: DeliveryClock {
  private struct State {
    var first: Duration?
    var last = Duration.zero
    var delays: [Duration] = []
  }

  private let clock: any DeliveryClock
  private let state = Mutex(State())

  init(_ clock: any DeliveryClock) { self.clock = clock }

  var delays: [Duration] { state.withLock(\.delays) }

  var now: Duration {
    let now = clock.now
    state.withLock { state in
      state.first = state.first ?? now
      state.last = now
    }
    return now
  }

  func schedule(
    after delay: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    state.withLock { $0.delays.append($0.last - ($0.first ?? $0.last) + delay) }
    return clock.schedule(after: delay, work)
  }
}

/// A poster that records requests and responds as configured; by default never.
final class SilentPoster: HTTPPosting {
  private let kept = Mutex<[HTTPPost]>([])
  private let answer: Result<Int, MediaLoadError>?
  private let posted: @Sendable () -> Void

  init(_ answer: Result<Int, MediaLoadError>? = nil, posted: @escaping @Sendable () -> Void = {}) {
    self.answer = answer
    self.posted = posted
  }

  var posts: [HTTPPost] { kept.withLock { $0 } }

  func post(
    _ post: HTTPPost, completion: @escaping @Sendable (Result<Int, MediaLoadError>) -> Void
  ) {
    kept.withLock { $0.append(post) }
    posted()
    if let answer { completion(answer) }
  }
}

import Foundation
import MediaLoading
import PushPayload
import Synchronization
import TestSupport

@testable import RichNotifications

/// A clock that advances only when the test says so, and runs due work in its order.
final class ManualClock: DeliveryClock {
  private struct Entry {
    var due: Duration
    var number: Int
    var work: @Sendable () -> Void
  }

  private struct State {
    var now = Duration.zero
    var last = 0
    var entries: [Entry] = []
  }

  private let state = Mutex(State())

  var now: Duration { state.withLock { $0.now } }
  /// The times of the scheduled work, the earliest first.
  var due: [Duration] { state.withLock { $0.entries.map(\.due).sorted() } }

  func schedule(
    after delay: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    let number = state.withLock { state in
      state.last += 1
      state.entries.append(Entry(due: state.now + delay, number: state.last, work: work))
      return state.last
    }
    return Canceling { self.state.withLock { $0.entries.removeAll { $0.number == number } } }
  }

  func advance(to time: Duration) {
    while let work = next(until: time) { work() }
    state.withLock { $0.now = max($0.now, time) }
  }

  private func next(until time: Duration) -> (@Sendable () -> Void)? {
    state.withLock { state in
      let first = state.entries.min { ($0.due, $0.number) < ($1.due, $1.number) }
      guard let first, first.due <= time else { return nil }
      state.entries.removeAll { $0.number == first.number }
      state.now = max(state.now, first.due)
      return first.work
    }
  }

  private struct Canceling: ScheduledWork {
    let undo: @Sendable () -> Void
    init(_ undo: @escaping @Sendable () -> Void) { self.undo = undo }
    func cancel() { undo() }
  }
}

/// A loader whose loads the test drives by calling their sinks, in or against the protocol's rules.
final class ManualLoader: MediaLoader {
  struct Load: Sendable {
    var request: MediaRequest
    var sink: any MediaSink
  }

  private let started = Mutex<[Load]>([])
  private let canceled = Atomic(0)

  /// All loads, in the order they were started.
  var loads: [Load] { started.withLock { $0 } }
  var sink: (any MediaSink)? { loads.last?.sink }
  var cancellations: Int { canceled.load(ordering: .relaxed) }

  func forget() { started.withLock { $0 = [] } }

  func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    started.withLock { $0.append(Load(request: request, sink: sink)) }
    return Counting { self.canceled.add(1, ordering: .relaxed) }
  }

  private struct Counting: MediaLoad {
    let count: @Sendable () -> Void
    init(_ count: @escaping @Sendable () -> Void) { self.count = count }
    func cancel() { count() }
  }
}

extension MediaSink {
  /// Sends a response with a head and, if the sink continues, a body.
  func respond(
    _ status: Int = 200, _ headers: [String: String] = [:], body: [UInt8] = []
  ) {
    guard receive(MediaResponseHead(status: status, headers: headers)) == .proceed else {
      return finish(MediaLoadError(.refused, "the sink stopped the load"))
    }
    feed(body)
    finish(nil)
  }

  @discardableResult func feed(_ bytes: [UInt8]) -> MediaLoadDisposition {
    bytes.isEmpty ? .proceed : bytes.withUnsafeBytes { receive($0) }
  }
}

enum Sample {
  static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0, count: 600)

  static func media(_ url: String, _ alternatives: String...) -> RichMedia {
    var media = RichMedia(MediaReference(url: url, path: "m"))
    media.alternatives = alternatives.map { MediaReference(url: $0, path: "a") }
    return media
  }

  /// A payload in Martlet's own dialect that requests these URLs.
  static func payload(_ urls: [String], alternativeText: String = "alt") -> JSONValue {
    [
      "aps": ["alert": "B", "mutable-content": 1],
      "_martlet": [
        "media": .array(urls.map { ["url": .string($0)] }),
        "alternative_text": .string(alternativeText),
      ],
    ]
  }

  static func environment(
    _ loader: some MediaLoader = OfflineMediaLoader(),
    clock: some DeliveryClock = ManualClock(),
    folder: URL = FileManager.default.temporaryDirectory
  ) -> RichEnvironment {
    RichEnvironment(loader: loader, clock: clock, temporaryDirectory: folder)
  }

  static func plan(
    _ payload: JSONValue, _ configuration: RichConfiguration = RichConfiguration(),
    text: NotificationText = NotificationText(title: "T", body: "B"), category: String = "",
    categories: [String] = []
  ) -> EnrichmentPlan {
    var environment = environment()
    environment.categories = categories
    return EnrichmentPlan(
      IncomingNotification(payload: payload, text: text, category: category),
      configuration: configuration, environment: environment)
  }

  static func file(_ name: String) -> AttachedMedia {
    AttachedMedia(
      url: name, file: URL(filePath: "/\(name).png"), type: .png, typeSource: .bytes, bytes: 1,
      status: 200)
  }
}

/// A reducer that writes a file of the given size, or throws, and records its calls.
final class Reducer: ImageReducing {
  struct Refusal: Error {}

  let calls = Mutex<[Int]>([])
  private let bytes: Int?
  private let meanwhile: @Sendable () -> Void

  init(bytes: Int?, meanwhile: @escaping @Sendable () -> Void = {}) {
    self.bytes = bytes
    self.meanwhile = meanwhile
  }

  func reduce(
    _ image: URL, to maximumBytes: Int, in directory: URL
  ) throws -> (file: URL, type: MediaType) {
    calls.withLock { $0.append(maximumBytes) }
    meanwhile()
    guard let bytes else { throw Refusal() }
    let file = directory.appending(path: UUID().uuidString + ".jpeg")
    try Data(count: bytes).write(to: file)
    return (file, .jpeg)
  }
}

import Foundation
import MediaLoading
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import RichNotifications

/// The runner under loaders that keep no promise.
@Suite("A delivery, whatever its loader does")
struct RichDeliveryTests {
  static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0, count: 600)
  static let head = MediaResponseHead(status: 200, url: MediaIntakeTests.url)

  /// What was handed over, and what lay in the folder at that moment.
  final class Outcome: Sendable {
    let contents = Mutex<[(content: EnrichedContent, files: [String])]>([])
  }

  /// A delivery that nobody but its loader and its deadline keeps.
  func begin(_ loader: some MediaLoader, _ clock: ManualClock, _ folder: TemporaryFolder) -> Outcome
  {
    let outcome = Outcome()
    let delivery = RichDelivery(
      payload: ["_mediaUrl": "https://a/i"], text: NotificationText(body: "B"),
      environment: RichEnvironment(loader: loader, clock: clock, temporaryDirectory: folder.url)
    ) { content in
      outcome.contents.withLock { $0.append((content, folder.contents)) }
    }
    delivery.begin()
    return outcome
  }

  static func feed(_ sink: any MediaSink, _ bytes: [UInt8]) -> MediaLoadDisposition {
    bytes.withUnsafeBytes { sink.receive($0) }
  }

  @Test("a loader that never ends: at the deadline the half file is gone and nothing more is taken")
  func endless() throws {
    let (loader, clock, folder) = (KeepingLoader(), ManualClock(), TemporaryFolder())
    let outcome = begin(loader, clock, folder)
    let sink = try #require(loader.sink)
    #expect(sink.receive(Self.head) == .proceed)
    #expect(Self.feed(sink, Self.png) == .proceed)
    #expect(folder.contents.count == 1)
    clock.fire()
    #expect(outcome.contents.withLock { $0.map(\.content.media.first?.reason) } == [.timeout])
    #expect(outcome.contents.withLock { $0.map(\.files) } == [[]], "gone before the hand-over")
    #expect(Self.feed(sink, Self.png) == .stop)
    sink.finish(nil)
    #expect(outcome.contents.withLock(\.count) == 1)
    #expect(folder.contents == [])
  }

  @Test("a loader that forgets its sink: the deadline delivers all the same")
  func forgets() throws {
    let (loader, clock, folder) = (KeepingLoader(), ManualClock(), TemporaryFolder())
    let outcome = begin(loader, clock, folder)
    loader.forget()
    clock.fire()
    #expect(outcome.contents.withLock { $0.map(\.content.media.first?.reason) } == [.timeout])
  }

  @Test("a loader that ends twice does not take back the file")
  func twice() throws {
    let (loader, clock, folder) = (KeepingLoader(), ManualClock(), TemporaryFolder())
    let outcome = begin(loader, clock, folder)
    let sink = try #require(loader.sink)
    _ = sink.receive(Self.head)
    _ = Self.feed(sink, Self.png)
    sink.finish(nil)
    sink.finish(nil)
    let file = try #require(
      outcome.contents.withLock { $0.first?.content.attachments.first?.file.lastPathComponent })
    #expect(folder.contents == [file])
    #expect(outcome.contents.withLock(\.count) == 1)
  }

  @Test("a loader that goes on after a refusal changes neither the reason nor the folder")
  func deaf() throws {
    let (loader, clock, folder) = (KeepingLoader(), ManualClock(), TemporaryFolder())
    let outcome = begin(loader, clock, folder)
    let sink = try #require(loader.sink)
    #expect(sink.receive(MediaResponseHead(status: 404, url: MediaIntakeTests.url)) == .stop)
    #expect(Self.feed(sink, Self.png) == .stop)
    sink.finish(nil)
    #expect(outcome.contents.withLock { $0.map(\.content.media.first?.reason) } == [.httpStatus])
    #expect(folder.contents == [])
  }
}

/// Keeps the sink, and does nothing by itself.
final class KeepingLoader: MediaLoader {
  private let kept = Mutex<(any MediaSink)?>(nil)
  var sink: (any MediaSink)? { kept.withLock { $0 } }

  func forget() { kept.withLock { $0 = nil } }

  func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    kept.withLock { $0 = sink }
    return Deaf()
  }

  private struct Deaf: MediaLoad { func cancel() {} }
}

/// Stands still; fires what is scheduled when it is told to.
final class ManualClock: DeliveryClock {
  private let work = Mutex<[@Sendable () -> Void]>([])
  var now: Duration { .zero }

  func schedule(
    after delay: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    self.work.withLock { $0.append(work) }
    return Uncanceled()
  }

  func fire() {
    let due = work.withLock { work in
      defer { work = [] }
      return work
    }
    for work in due { work() }
  }

  private struct Uncanceled: ScheduledWork { func cancel() {} }
}

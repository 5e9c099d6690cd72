import Foundation
import MediaLoading
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import RichNotifications

/// `RichDelivery` with loaders that violate the protocol's rules.
@Suite("A delivery with a misbehaving loader")
struct RichDeliveryTests {
  static let head = MediaResponseHead(status: 200)

  /// The delivered contents, each with the files in the folder at that moment.
  final class Outcome: Sendable {
    let contents = Mutex<[(content: EnrichedContent, files: [String])]>([])
  }

  /// Starts a delivery that is retained only by its loader and its deadline.
  func begin(
    _ loader: some MediaLoader, clock: ManualClock, folder: TemporaryFolder
  ) -> Outcome {
    let outcome = Outcome()
    let delivery = RichDelivery(
      IncomingNotification(
        payload: ["_mediaUrl": "https://a/i"], text: NotificationText(body: "B")),
      environment: Sample.environment(loader, clock: clock, folder: folder.url)
    ) { content in
      outcome.contents.withLock { $0.append((content, folder.contents)) }
    }
    delivery.begin()
    return outcome
  }

  @Test("with a loader that never finishes, the partial file is deleted at the deadline")
  func endless() throws {
    let (loader, clock, folder) = (ManualLoader(), ManualClock(), TemporaryFolder())
    let outcome = begin(loader, clock: clock, folder: folder)
    let sink = try #require(loader.sink)
    #expect(sink.receive(Self.head) == .proceed)
    #expect(sink.feed(Sample.png) == .proceed)
    #expect(folder.contents.count == 1)
    clock.advance(to: .seconds(25))
    #expect(outcome.contents.withLock { $0.map(\.content.media.first?.reason) } == [.timeout])
    #expect(outcome.contents.withLock { $0.map(\.files) } == [[]], "gone before the hand-over")
    #expect(sink.feed(Sample.png) == .stop)
    sink.finish(nil)
    #expect(outcome.contents.withLock(\.count) == 1)
    #expect(folder.contents == [])
  }

  @Test("with a loader that releases its sink, the deadline delivers")
  func forgets() throws {
    let (loader, clock, folder) = (ManualLoader(), ManualClock(), TemporaryFolder())
    let outcome = begin(loader, clock: clock, folder: folder)
    loader.forget()
    clock.advance(to: .seconds(25))
    #expect(outcome.contents.withLock { $0.map(\.content.media.first?.reason) } == [.timeout])
  }

  @Test("a loader that finishes twice does not delete the file")
  func twice() throws {
    let (loader, clock, folder) = (ManualLoader(), ManualClock(), TemporaryFolder())
    let outcome = begin(loader, clock: clock, folder: folder)
    let sink = try #require(loader.sink)
    _ = sink.receive(Self.head)
    _ = sink.feed(Sample.png)
    sink.finish(nil)
    sink.finish(nil)
    let file = try #require(
      outcome.contents.withLock { $0.first?.content.attachments.first?.file.lastPathComponent })
    #expect(folder.contents == [file])
    #expect(outcome.contents.withLock(\.count) == 1)
  }

  @Test("a loader that continues after a stop changes neither the reason nor the folder")
  func deaf() throws {
    let (loader, clock, folder) = (ManualLoader(), ManualClock(), TemporaryFolder())
    let outcome = begin(loader, clock: clock, folder: folder)
    let sink = try #require(loader.sink)
    #expect(sink.receive(MediaResponseHead(status: 404)) == .stop)
    #expect(sink.feed(Sample.png) == .stop)
    sink.finish(nil)
    #expect(outcome.contents.withLock { $0.map(\.content.media.first?.reason) } == [.httpStatus])
    #expect(folder.contents == [])
  }
}

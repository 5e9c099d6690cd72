import Foundation
import MediaLoading
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import RichNotifications

@Suite("An image over the system's limit", .timeLimit(.minutes(10)))
struct ImageReducingTests {
  static let limit = MediaType.Family.image.maximumBytes

  /// A delivery of an image of the given size, and the files left in its folder.
  struct Run {
    var content: EnrichedContent
    var rules: [String]
    var files: [String]
  }

  static func run(
    bytes: Int, _ reducer: (any ImageReducing)?, maximum: Int64? = nil, sha256: String? = nil
  ) throws -> Run {
    let (loader, clock, folder) = (ManualLoader(), ManualClock(), TemporaryFolder())
    var environment = Sample.environment(loader, clock: clock, folder: folder.url)
    environment.imageReducer = reducer
    var configuration = RichConfiguration()
    if let maximum { configuration.media.maximumReducibleBytes = maximum }
    let rules = Mutex<[String]>([])
    configuration.trace = { event in rules.withLock { $0.append(event.rule) } }
    let contents = Mutex<[EnrichedContent]>([])
    let delivery = RichDelivery(
      IncomingNotification(
        payload: ["_mediaUrl": "https://a/i", "_mediaAlt": "alt"],
        text: NotificationText(body: "B")), configuration: configuration, environment: environment
    ) { content in
      contents.withLock { $0.append(content) }
    }
    delivery.begin()
    let sink = try #require(loader.sink)
    sink.respond(200, body: Sample.png + [UInt8](repeating: 0, count: bytes - Sample.png.count))
    let content = try #require(contents.withLock { $0.first })
    return Run(content: content, rules: rules.withLock { $0 }, files: folder.contents)
  }

  @Test("at the limit it is attached unchanged, and the reducer is not called")
  func atTheLimit() throws {
    let reducer = Reducer(bytes: 9)
    let run = try Self.run(bytes: Self.limit, reducer)
    #expect(run.content.attachments.map(\.bytes) == [Int64(Self.limit)])
    #expect(run.content.attachments.first?.reducedFrom == nil)
    #expect(reducer.calls.withLock { $0 }.isEmpty)
  }

  @Test("over the limit a smaller image is attached, and the trace has the rule")
  func pastTheLimit() throws {
    let reducer = Reducer(bytes: 9)
    let run = try Self.run(bytes: Self.limit + 1, reducer)
    let media = try #require(run.content.attachments.first)
    #expect(media.type == .jpeg)
    #expect(media.bytes == 9)
    #expect(media.reducedFrom == Int64(Self.limit) + 1)
    #expect(run.rules.contains("reduced"))
    #expect(run.files == [media.file.lastPathComponent], "the large one is gone")
    #expect(reducer.calls.withLock { $0 } == [Self.limit])
    #expect(run.content.text.body == "B")
  }

  @Test("without a reducer it is too large, and the fallback text is the body")
  func withoutReducer() throws {
    let run = try Self.run(bytes: Self.limit + 1, nil)
    #expect(run.content.media.first?.reason == .tooLarge)
    #expect(run.content.text.body == "alt")
    #expect(run.files == [])
  }

  @Test(
    "the size of images to scale down has its own limit",
    arguments: [(20_000_000, true), (20_000_001, false)])
  func ownLimit(bytes: Int, isAttached: Bool) throws {
    let run = try Self.run(bytes: bytes, Reducer(bytes: 9), maximum: 20_000_000)
    #expect(run.content.attachments.isEmpty == !isAttached)
    #expect(run.content.media.first?.reason == (isAttached ? nil : .tooLarge))
  }

  @Test(
    "by default that limit is 30 million bytes",
    arguments: [(30_000_000, true), (30_000_001, false)])
  func defaultLimit(bytes: Int, isAttached: Bool) throws {
    let run = try Self.run(bytes: bytes, Reducer(bytes: 9))
    #expect(run.content.attachments.isEmpty == !isAttached)
  }

  @Test("a limit below the system's does not affect images that need no scaling")
  func lowLimit() throws {
    let run = try Self.run(bytes: Self.limit, Reducer(bytes: 9), maximum: 1000)
    #expect(run.content.attachments.map(\.bytes) == [Int64(Self.limit)])
  }

  @Test(
    "a reducer that fails, writes nothing or writes too much: too large, and no file is left",
    arguments: [nil, 0, limit + 1])
  func failure(bytes: Int?) throws {
    let run = try Self.run(bytes: Self.limit + 1, Reducer(bytes: bytes))
    #expect(run.content.media.first?.reason == .tooLarge)
    #expect(run.content.media.first?.bytes == Int64(Self.limit) + 1)
    #expect(run.content.text.body == "alt")
    #expect(run.files == [])
  }

  @Test("a scaled image of exactly the limit is attached")
  func reducedToTheLimit() throws {
    let run = try Self.run(bytes: Self.limit + 1, Reducer(bytes: Self.limit))
    #expect(run.content.attachments.map(\.bytes) == [Int64(Self.limit)])
  }

  @Test("an audio file is not scaled, and its own limit applies")
  func sound() throws {
    var intake = MediaIntake(
      MediaIntakeTests.reference, url: MediaIntakeTests.url, maximumImageBytes: 30_000_000)
    _ = try intake.receive(MediaResponseHead(status: 200))
    let head = MediaIntakeTests.signatures[.mp3]! + [UInt8](repeating: 0, count: 600)
    let rest = [UInt8](repeating: 0, count: 5_000_001 - head.count)
    var reason: MediaFailure.Reason?
    for piece in [head, rest] {
      piece.withUnsafeBytes { bytes in
        do throws(MediaFailure) { try intake.receive(bytes) { _ throws(MediaFailure) in } } catch {
          reason = error.reason
        }
      }
    }
    #expect(reason == .tooLarge)
  }

  @Test("a local image is scaled down too, and the bundle's file is unchanged")
  func local() throws {
    let (bundle, folder) = (TemporaryFolder(), TemporaryFolder())
    let large = try bundle.write(
      Sample.png + [UInt8](repeating: 0, count: Self.limit), to: "large.png")
    var environment = Sample.environment(
      OfflineMediaLoader(), clock: ManualClock(), folder: folder.url)
    environment.bundledFile = { _ in large }
    environment.imageReducer = Reducer(bytes: 9)
    let ending = LocalMedia.copy(
      "large.png", for: MediaReference(url: "large.png", path: "m"),
      maximumImageBytes: environment.maximumImageBytes(MediaPolicy()), in: environment)
    guard case .file(let media) = ending else {
      Issue.record("\(ending)")
      return
    }
    #expect(media.bytes == 9)
    #expect(folder.contents == [media.file.lastPathComponent])
    #expect(bundle.contents == ["large.png"])
  }

  @Test("the deadline does not wait for a reducer; a late file is deleted")
  func deadline() throws {
    let (loader, clock, folder) = (ManualLoader(), ManualClock(), TemporaryFolder())
    let contents = Mutex<[EnrichedContent]>([])
    var environment = Sample.environment(loader, clock: clock, folder: folder.url)
    // The deadline passes during the call, on the same thread; if a lock were held, this would deadlock.
    let reducer = Reducer(bytes: 9) { clock.advance(to: .seconds(25)) }
    environment.imageReducer = reducer
    let delivery = RichDelivery(
      IncomingNotification(
        payload: ["_mediaUrl": "https://a/i"], text: NotificationText(body: "B")),
      environment: environment
    ) { content in
      contents.withLock { $0.append(content) }
    }
    delivery.begin()
    let sink = try #require(loader.sink)
    sink.respond(200, body: Sample.png + [UInt8](repeating: 0, count: Self.limit))
    #expect(contents.withLock { $0.map { $0.media.first?.reason } } == [.timeout])
    #expect(reducer.calls.withLock(\.count) == 1)
    #expect(folder.contents == [])
  }
}

import Dispatch
import Foundation
import NotificationHost
import PushPayload
import RichNotifications
import Synchronization
import TestSupport
import Testing
import UserNotifications

/// Misbehaving extensions in the host's process; see also `HostFlowTests`.
@Suite("An extension that misbehaves", .timeLimit(.minutes(10)))
struct MisbehavingExtensionTests {
  private static func rules(_ report: DeliveryReport) -> [String] {
    report.trace.filter { $0.stage.rawValue == "attachments" }.map(\.rule)
  }

  @Test("calls from two threads at once: one reply is taken, both are counted")
  func twoThreads() async throws {
    let report = try await World().deliver { request, reply in
      let copies = (0..<2).map { index in
        let content = request.content.mutableCopy() as? UNMutableNotificationContent
        content?.title = "\(index)"
        return HostFlowTests.Kept(content: content ?? request.content, handler: reply)
      }
      DispatchQueue.concurrentPerform(iterations: 2) { copies[$0].reply() }
    }
    #expect(report.outcome == .displayed && report.run.handlerCalls == 2)
    #expect(["0", "1"].contains(report.content?.title))
    #expect(report.trace.contains { $0.message.contains("again") })
  }

  @Test("replies from the warning: it is taken; it was not called off")
  func fromTheWarning() async throws {
    let kept = Mutex<HostFlowTests.Kept?>(nil)
    let report = try await World().deliver { request, reply in
      kept.withLock { $0 = HostFlowTests.Kept(content: request.content, handler: reply) }
    } warn: {
      kept.withLock { $0 }?.reply()
    }
    #expect(report.outcome == .displayed && report.run.expired)
    #expect(report.run.elapsed >= .seconds(29) && report.run.elapsed < .seconds(30))
  }

  @Test("replies after the end: the original was shown, and the late reply has no effect")
  func afterTheEnd() async throws {
    let world = World()
    let kept = Mutex<HostFlowTests.Kept?>(nil)
    let report = try await world.deliver { request, reply in
      kept.withLock { $0 = HostFlowTests.Kept(content: request.content, handler: reply) }
    }
    kept.withLock { $0 }?.reply()
    #expect(report.outcome == .displayedOriginal && report.rule == .noReply)
    #expect(report.run.handlerCalls == 0)
    #expect(report.trace.map(\.rule).contains(HostRule.timeLimit.name))
    #expect(report.trace.map(\.rule).contains(HostRule.expiryWarning.name))
  }

  @Test("is refused what lies outside its folders, and loses nothing else")
  func outside() async throws {
    let elsewhere = TemporaryFolder()
    let file = try elsewhere.write(Fixtures.bytes("media/picture.png"), to: "picture.png")
    let report = try await World().deliver(World.plain, World.attaching(file))
    #expect(report.outcome == .displayed && report.attachments.isEmpty)
    #expect(Self.rules(report) == [HostRule.attachmentPlace.name])
    #expect(elsewhere.contents == ["picture.png"])
  }

  @Test("is refused a link out of its folders")
  func link() async throws {
    let (world, elsewhere) = (
      World { _, behavior in behavior.movesTemporaryFiles = false }, TemporaryFolder()
    )
    let file = try elsewhere.write(Fixtures.bytes("media/picture.png"), to: "picture.png")
    let link = world.folder.file("link.png")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    let report = try await world.deliver(World.plain, World.attaching(link))
    #expect(Self.rules(report) == [HostRule.attachmentPlace.name])
    #expect(elsewhere.contents == ["picture.png"])
  }

  @Test("attaches one file under two types: the second is refused")
  func twoTypes() async throws {
    let world = World()
    let file = try world.folder.write(Fixtures.bytes("media/picture.png"), to: "picture.png")
    let report = try await world.deliver(
      World.plain, World.attaching(file, hints: [nil, "public.jpeg"]))
    #expect(report.attachments.map(\.type) == ["public.png"])
    #expect(Self.rules(report) == [HostRule.attachmentSameFile.name])
  }

  @Test("a file that grew after it was attached is refused by its size", arguments: [0, 1])
  func grows(extra: Int) async throws {
    let world = World { _, behavior in behavior.movesTemporaryFiles = false }
    let file = try world.folder.write(Fixtures.bytes("media/chime.mp3"), to: "sound.mp3")
    let report = try await world.deliver(World.plain) { request, reply in
      guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
        return
      }
      content.attachments = [try? UNNotificationAttachment(identifier: "", url: file)]
        .compactMap { $0 }
      let handle = try? FileHandle(forWritingTo: file)
      try? handle?.truncate(atOffset: UInt64(5_000_000 + extra))
      try? handle?.close()
      reply(content)
    }
    #expect(report.attachments.count == 1 - extra)
    #expect(Self.rules(report) == (extra == 0 ? [] : [HostRule.attachmentSize.name]))
  }

  @Test("a megabyte may have 2^20 bytes", arguments: [(5_242_880, 1), (5_242_881, 0)])
  func megabyte(size: Int, count: Int) async throws {
    let world = World { _, behavior in
      behavior.megabyte = 1_048_576
      behavior.checksFileContent = false
    }
    let file = try world.folder.write([UInt8](repeating: 0, count: size), to: "sound.mp3")
    let report = try await world.deliver(World.plain, World.attaching(file))
    #expect(report.attachments.count == count)
  }

  @Test("attaches what is not there, on a system that does not look: refused with 100")
  func missing() async throws {
    let world = World { _, behavior in behavior.checksFileAtInit = false }
    let file = world.folder.file("missing.png")
    let report = try await world.deliver(World.plain, World.attaching(file))
    #expect(Self.rules(report) == [HostRule.attachmentReadable.name])
  }

  @Test("fills the store", arguments: [(68, 0), (10_000_000, 1)])
  func storage(limit: Int64, count: Int) async throws {
    let world = World { _, behavior in behavior.attachmentStorageLimit = limit }
    let file = try world.folder.write(Fixtures.bytes("media/picture.png"), to: "picture.png")
    let report = try await world.deliver(World.plain, World.attaching(file))
    #expect(report.attachments.count == count)
    #expect(Self.rules(report) == (count == 1 ? [] : [HostRule.attachmentStorage.name]))
  }

  @Test("keeps its picture in a cache, which loses it", arguments: [true, false])
  func cache(deletes: Bool) async throws {
    let world = World { app, behavior in
      behavior.deletesOriginals = deletes
      app.temporaryDirectory = app.container.appending(path: "tmp")
    }
    let file = try world.folder.write(Fixtures.bytes("media/picture.png"), to: "picture.png")
    let report = try await world.deliver(World.plain, World.attaching(file))
    #expect(report.attachments.count == 1)
    #expect(world.folder.contents.contains("picture.png") == !deletes)
  }

  @Test("static state survives from one notification to the next; the instance need not")
  func reuse() async throws {
    let instances = Mutex(0)
    for (reuses, count) in [(false, 3), (true, 1)] {
      instances.withLock { $0 = 0 }
      var behavior = HostBehavior()
      behavior.reusesInstance = reuses
      let folder = TemporaryFolder()
      let app = VirtualPhone.App(container: folder.url) {
        instances.withLock { $0 += 1 }
        return HostFlowTests.Scripted { $1($0.content) }
      }
      let host = VirtualPhone(app: app, behavior: behavior)
      let payload = try JSONValue(parsing: World.plain)
      for _ in 0..<3 { _ = await host.deliver(PushMessage(payload: payload)) }
      #expect(instances.withLock { $0 } == count)
    }
  }

  @Test("a debugger stops the timers: a reply after a minute is taken")
  func debugger() async throws {
    let world = World { _, behavior in behavior.isDebugging = true }
    let report = try await world.deliver { request, reply in
      let kept = HostFlowTests.Kept(content: request.content, handler: reply)
      _ = world.clock.schedule(after: .seconds(60)) { kept.reply() }
    }
    #expect(report.outcome == .displayed && report.run.elapsed >= .seconds(60))
  }

  @Test("didReceive is off the main thread")
  func thread() async throws {
    let isMain = Mutex(true)
    _ = try await World().deliver { request, reply in
      isMain.withLock { $0 = Thread.isMainThread }
      reply(request.content)
    }
    #expect(!isMain.withLock { $0 })
  }
}

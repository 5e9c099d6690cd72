import Foundation
import MediaLoading
import PushPayload
import Synchronization
import TestSupport
import Testing
import UserNotifications

@testable import RichNotifications

/// Replaces any key of every fixture with any JSON value, and runs the engine.
@Suite("Mutation of every fixture")
struct MutationTests {
  static let rounds = Tier.mutations(5000, of: 100_000)

  static func fixtures() throws -> [JSONValue] {
    let folder = Fixtures.url("dialects")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL }.filter {
        $0.path.contains("/dialects/") && $0.pathExtension == "json"
      }
    return try (files ?? []).sorted { $0.path < $1.path }
      .filter { $0.deletingLastPathComponent().lastPathComponent != "dialects" }
      .map { try JSONValue(parsing: Data(contentsOf: $0)) }
  }

  @Test("no crash, always one delivery, no file left behind", .timeLimit(.minutes(60)))
  func deliveries() throws {
    let fixtures = try Self.fixtures()
    #expect(fixtures.count >= 3 * 38)
    let folder = TemporaryFolder()
    let seed = UInt64.random(in: 1...UInt64.max)
    var mutation = PayloadMutation(seed: seed)
    var loads = 0
    var attachments = 0
    for round in 0..<Self.rounds {
      let payload = mutation.mutate(fixtures[round % fixtures.count])
      let (clock, loader) = (ManualClock(), AnsweringLoader(round: round))
      let contents = Mutex<[EnrichedContent]>([])
      let userInfo = JSONValue(userInfo: payload.userInfo)
      RichDelivery(
        IncomingNotification(payload: userInfo, text: NotificationText(title: "T", body: "B")),
        environment: Sample.environment(loader, clock: clock, folder: folder.url)
      ) { content in
        contents.withLock { $0.append(content) }
        for media in content.attachments { try? FileManager.default.removeItem(at: media.file) }
      }
      .begin()
      clock.advance(to: .seconds(25))
      let delivered = contents.withLock { $0 }
      if delivered.count != 1 || delivered[0].text.body.isEmpty || !clock.due.isEmpty {
        Issue.record("seed \(seed), round \(round): \(payload)")
        break
      }
      loads += loader.loads
      attachments += delivered[0].attachments.count
    }
    print(
      "mutations: \(Self.rounds) payloads of \(fixtures.count) fixtures, \(loads) requests, \(attachments) attachments, seed \(seed)"
    )
    #expect(folder.contents == [])
    #expect(loads > Self.rounds / 10 && attachments > Self.rounds / 20)
  }
}

/// A loader that responds at once, in various ways.
private final class AnsweringLoader: MediaLoader {
  private let count: Atomic<Int>
  private let round: Int
  var loads: Int { count.load(ordering: .relaxed) - round }

  init(round: Int) {
    self.round = round
    count = Atomic(round)
  }

  func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    let number = count.add(1, ordering: .relaxed).oldValue
    switch number % 8 {
    case 0: sink.respond(404)
    case 1: sink.respond(200, ["Content-Type": "text/html"], body: Array("<html>".utf8))
    case 2: sink.respond(302, ["Location": "../x?y=z#"])
    case 3:
      _ = sink.receive(MediaResponseHead(status: 200, headers: ["ETag": "\"\(number)\""]))
      sink.feed(Array(Sample.png.prefix(600)))
      sink.finish(MediaLoadError(.network, "reset"))
    case 4: break  // Silent until the deadline.
    default: sink.respond(200, ["Content-Type": "image/png"], body: Sample.png)
    }
    return Over()
  }

  private struct Over: MediaLoad { func cancel() {} }
}

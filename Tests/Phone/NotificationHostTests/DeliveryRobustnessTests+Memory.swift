import Foundation
import Glibc
import NotificationHost
import PushPayload
import RichNotifications
import Synchronization
import TestSupport
import Testing

extension DeliveryRobustnessTests {
  /// The anonymous memory of this process in kilobytes.
  private static func anonymousMemory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  /// Runs in its own process, to measure the memory of the process.
  @Test("a video of 50 million bytes needs less than 4 MB of memory")
  func memory() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let film = try folder.sparse("gold.mp4", bytes: 50_000_000, as: "film.mp4")
      let endless = try folder.sparse("gold.mp4", bytes: 80_000_000, as: "endless.mp4")
      let phone = try Phone([
        "https://a/warm": .fixture("gold.mp4"), "https://a/film": .init(body: .file(film)),
        "https://a/endless": .init(body: .file(endless)).with { $0.announcesLength = false },
      ])
      // Everything that is made once is made.
      #expect(await phone.deliver(Push.media("https://a/warm")).attachments.count == 1)
      for url in ["https://a/film", "https://a/endless"] {
        let before = Self.anonymousMemory()
        let most = Mutex((pieces: 0, memory: 0))
        let network = WatchedNetwork(phone.network) { _ in
        } received: { _ in
          most.withLock { most in
            most.pieces += 1
            if most.pieces % 64 == 0 { most.memory = max(most.memory, Self.anonymousMemory()) }
          }
        }
        let report = await phone.deliver(Push.media(url), over: network)
        #expect(report.attachments.count == (url == "https://a/film" ? 1 : 0))
        let (pieces, memory) = most.withLock { $0 }
        #expect(pieces > 3000)
        #expect(memory - before < 4096, "\(url): \(memory - before) KB")
      }
    }
  }
}

import Foundation
import Glibc
import NotificationHost
import PushPayload
import RichNotifications
import TestSupport
import Testing

/// Each test runs in its own process with a limit on file sizes: a write fails after some bytes,
/// as on a full disk. The signal that Linux sends beside the error is ignored; the phone has none.
@Suite("A full disk", .timeLimit(.minutes(10)))
struct DiskFullTests {
  /// Limits the size of files for the rest of the process.
  static func limitFiles(to bytes: Int) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    let result = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #expect(result == 0)
  }

  static func expectText(_ report: DeliveryReport, _ phone: Phone) {
    #expect(report.outcome == .displayed && report.run.handlerCalls == 1)
    #expect(report.content?.title == "T" && report.content?.body == "alt")
    #expect(report.attachments.isEmpty)
    #expect(phone.enriched?.media.map(\.reason) == [.storage])
    #expect(phone.enriched?.media.map(\.requestCount) == [1], "it is not fetched again for nothing")
    #expect(phone.leftovers == [])
    #expect(report.run.elapsed < .seconds(5))
  }

  @Test(
    "a file that cannot be written completely is not attached and leaves no file",
    arguments: [0, 1, 60_000, 118_647])
  func download(limit: Int) async {
    await #expect(processExitsWith: .success) { [limit = limit as Int] in
      let phone = try Phone(["https://a/i": .fixture("picture.png")])
      Self.limitFiles(to: limit)
      Self.expectText(await phone.deliver(Push.media("https://a/i")), phone)
    }
  }

  @Test("a file that just fits is shown")
  func fits() async {
    await #expect(processExitsWith: .success) {
      let phone = try Phone(["https://a/i": .fixture("picture.png")])
      Self.limitFiles(to: 118_648)
      let report = await phone.deliver(Push.media("https://a/i"))
      #expect(report.attachments.count == 1 && report.content?.body == "B")
    }
  }

  @Test("a file of the bundle that cannot be copied is not attached")
  func bundled() async {
    await #expect(processExitsWith: .success) {
      let phone = try Phone()
      Self.limitFiles(to: 1000)
      Self.expectText(await phone.deliver(Push.media("gold.mp4")), phone)
    }
  }

  @Test("of several files, those that fit are attached; a fallback that fits is used")
  func several() async {
    await #expect(processExitsWith: .success) {
      let answers = [
        "https://a/1": "picture.png", "https://a/2": "gold.mp4", "https://a/3": "chime.wav",
        "https://a/4": "photo.jpg",
      ]
      let phone = try Phone(answers.mapValues { .fixture($0) })
      Self.limitFiles(to: 70_000)
      let report = await phone.deliver(
        Push.media([
          ["url": "https://a/1"], ["url": "https://a/2"],
          ["url": "https://a/3", "alternative_url": "https://a/4"],
        ]))
      #expect(report.attachments.map(\.type) == ["public.mpeg-4", "public.jpeg"])
      #expect(phone.enriched?.media.map(\.reason) == [.storage, nil, .storage])
      #expect(report.content?.body == "alt" && phone.leftovers == [])
    }
  }

  @Test("a receipt that cannot be stored does not affect the delivery")
  func receipt() async {
    await #expect(processExitsWith: .success) {
      let container = TemporaryFolder()
      var configuration = RichConfiguration()
      let settings = try FeatureTests.receipts(in: container)
      configuration.receipts = settings
      let phone = try Phone(configuration: configuration)
      Self.limitFiles(to: 20)
      let report = await phone.deliver(Push.media("gold.mp4"))
      Self.expectText(report, phone)
      #expect(settings.queue.waiting().isEmpty)
    }
  }

  @Test("where the folder for media cannot be created, the text is shown")
  func noFolder() async throws {
    let phone = try Phone(["https://a/i": .fixture("picture.png")]) {
      $0.temporaryDirectory = URL(filePath: "/dev/null/media")
    }
    Self.expectText(await phone.deliver(Push.media("https://a/i")), phone)
  }
}

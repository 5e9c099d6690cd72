import Foundation
import MediaLoading
import NotificationHost
import PushPayload
import RichNotifications
import Synchronization
import TestSupport
import Testing
@_spi(Host) import UserNotifications

/// Receipts, categories, reports, many pushes at once, and what the sources import.
extension FeatureTests {
  static func receipts(in container: TemporaryFolder) throws -> ReceiptSettings {
    ReceiptSettings(
      endpoint: try #require(URL(string: "https://push.example/v6/receipts")), deviceKey: "k",
      deviceID: "d", folder: container.url)
  }

  @Test("a receipt that the extension could not send is sent once by the app")
  func receipts() async throws {
    let container = TemporaryFolder()
    let settings = try Self.receipts(in: container)
    var configuration = RichConfiguration()
    configuration.receipts = settings
    let offline = SilentPoster(.failure(MediaLoadError(.offline, "no network")))
    let phone = try Phone(configuration: configuration) { $0.poster = offline }
    // The system now and then runs an extension twice for one push.
    for _ in 0..<2 {
      let report = await phone.deliver(Push.media("https://a/i"))
      #expect(report.outcome == .displayed)
    }
    #expect(offline.posts.count == 2)
    let server = SilentPoster(.success(200))
    let sent = await ReceiptSender(try Self.receipts(in: container), poster: server).resend()
    #expect(sent.sent == 1 && sent.kept == 0)
    #expect(server.posts.count == 1)
    #expect(settings.queue.waiting().isEmpty)
  }

  @Test("the app's categories are kept, and made categories are limited")
  func categories() async throws {
    let center = UNUserNotificationCenter(readsUntilVisible: 0)
    center.setNotificationCategories(DeliveryRobustnessTests.foreignCategories)
    let phone = try Phone(center: center) {
      $0.categoryRegistry = UNCategoryRegistry(center: center)
      // A second apart, as pushes are.
      let seconds = Mutex(0.0)
      $0.date = {
        Date(
          timeIntervalSince1970: seconds.withLock {
            $0 += 1
            return $0
          })
      }
    }
    for number in 0..<50 {
      let report = await phone.deliver(DeliveryRobustnessTests.buttons("Button \(number)"))
      #expect(report.actions.map(\.title) == ["Button \(number)"])
    }
    let after = await center.notificationCategories()
    #expect(after.isSuperset(of: DeliveryRobustnessTests.foreignCategories))
    #expect(after.count == DeliveryRobustnessTests.foreignCategories.count + 32)
    let again = await phone.deliver(DeliveryRobustnessTests.buttons("Button 49"))
    #expect(again.actions.map(\.title) == ["Button 49"])
    #expect(await center.notificationCategories() == after, "the same buttons need no new one")
  }

  @Test("payload files are replayed without a device and a network", arguments: vendors)
  func replay(vendor: String) async throws {
    let payload = try JSONValue(parsing: Data(Fixtures.bytes("dialects/\(vendor)/typical.json")))
    let phone = try Phone()
    let report = await phone.deliver(payload)
    #expect(report.outcome == .displayed && report.run.handlerCalls == 1)
    #expect(report.content?.body.isEmpty == false || report.content?.title.isEmpty == false)
    #expect(phone.enriched?.media.allSatisfy { $0.reason != nil } == true)
    #expect(report.trace.contains { $0.message == "the extension runs" })
  }

  @Test("the outcome of each file is reported to the app, the trace and the server")
  func diagnostics() async throws {
    let container = TemporaryFolder()
    let events = Mutex<[TraceEvent]>([])
    var configuration = RichConfiguration()
    configuration.receipts = try Self.receipts(in: container)
    configuration.trace = { event in events.withLock { $0.append(event) } }
    let phone = try Phone(
      ["https://a/secret-1": Self.png, "https://a/secret-2": .init(status: 404)],
      latency: .milliseconds(1500), configuration: configuration)
    _ = await phone.deliver(Push.media("https://a/secret-1", "https://a/secret-2"))
    let media = try #require(phone.enriched?.media)
    #expect(media.map(\.result) == [.attached, .failed])
    #expect(media.map(\.reason) == [nil, .httpStatus] && media.map(\.status) == [200, 404])
    #expect(media.map(\.bytes) == [118_648, 0] && media.map(\.requestCount) == [1, 1])
    let receipt = try #require(try Self.receipts(in: container).queue.waiting().first)
    #expect(receipt.media == "failed" && receipt.reason == "http-status")
    #expect((1500..<3000).contains(receipt.durationMilliseconds ?? 0))
    let trace = events.withLock { $0 }
    #expect(trace.contains { $0.rule == "http-status" && $0.at >= .milliseconds(1500) })
    #expect(trace.last?.rule == "kept")
    #expect(trace.allSatisfy { !$0.message.contains("secret") }, "URLs stand apart")
    #expect(trace.contains { $0.privateDetail?.contains("secret-1") == true })
  }

  @Test(
    "for any network and any expiry, the handler is called once with files or their fallback text")
  func exactlyOnce() async throws {
    var random = SeededGenerator(seed: 20)
    for run in 0..<200 {
      var answers: [String: [ScriptedNetwork.Response]] = [:]
      for number in 0..<3 {
        answers["https://a/\(number)"] = (0..<3).map { _ in
          Self.png.with { answer in
            switch Int.random(in: 0..<6, using: &random) {
            case 0: answer.status = [404, 500, 503, 206, 304].randomElement(using: &random) ?? 404
            case 1: answer.stallsAfter = Int.random(in: 0...118_648, using: &random)
            case 2: answer.breaksAfter = Int.random(in: 0...118_648, using: &random)
            case 3: answer.failure = .offline
            default: answer.headers["ETag"] = "\"1\""
            }
          }
        }
      }
      var behavior = HostBehavior()
      // Only the warning comes at random: the end is far from it, however long the machine takes for the reply.
      let warning = Duration.milliseconds(Int.random(in: 1...30_000, using: &random)) / 2
      behavior.expiryGrace = .seconds(60)
      behavior.timeLimit = warning + behavior.expiryGrace
      let phone = try Phone(
        inSequence: answers, latency: .milliseconds(Int.random(in: 0...4000, using: &random)),
        bandwidth: Int.random(in: 20_000...1_000_000, using: &random), behavior: behavior)
      let report = await phone.deliver(Push.media("https://a/0", "https://a/1", "https://a/2"))
      await phone.runOn()
      #expect(phone.handlerCalls == 1, "run \(run)")
      #expect(report.outcome == .displayed, "run \(run)")
      #expect(report.content?.body == (report.attachments.count == 3 ? "B" : "alt"), "run \(run)")
      #expect(report.attachments.count == phone.enriched?.attachments.count, "run \(run)")
      #expect(phone.leftovers == [], "run \(run)")
    }
  }

  @Test("twenty concurrent pushes in one process, each with its own text and files")
  func reentrancy() async throws {
    let clock = VirtualClock()
    let names = ["picture.png", "photo.jpg", "cloudy.gif", "gold.mp4"]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          let name = names[number % names.count]
          let phone = try Phone(
            ["https://a/\(number)": .fixture(name)], latency: .seconds(2), bandwidth: 50_000,
            clock: clock)
          var members = Push.media("https://a/\(number)").object ?? [:]
          members["aps"] = ["alert": .string("push \(number)"), "mutable-content": 1]
          let report = await phone.deliver(.object(members))
          #expect(report.content?.body == "push \(number)")
          let shown = try #require(report.attachments.first)
          #expect(try Data(contentsOf: shown.file) == Data(Fixtures.bytes("media/\(name)")))
          #expect(phone.handlerCalls == 1 && phone.leftovers == [])
        }
      }
      try await group.waitForAll()
    }
  }

  /// The modules that the device half may import.
  static let imports: Set<String> = [
    "CoreGraphics", "CryptoKit", "Darwin", "Dispatch", "Foundation", "FoundationEssentials",
    "FoundationNetworking", "Glibc", "ImageIO", "Intents", "MediaLoading", "NotificationTemplates",
    "PushCrypto", "PushPayload", "Security", "URLSessionMedia", "UserNotifications", "os",
  ]

  @Test(
    "the products that an extension links import only the system's modules",
    arguments: [
      "RichNotifications", "NotificationTemplates", "PushPayload", "PushCrypto", "MediaLoading",
      "URLSessionMedia",
    ])
  func hygiene(module: String) throws {
    let root = Repository.root
    let folder = root.appending(path: "Sources/Device/\(module)")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path())
      .filter { $0.hasSuffix(".swift") }
    #expect(!files.isEmpty)
    for file in files {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for line in text.split(separator: "\n") {
        guard let match = line.firstMatch(of: /^\s*(?:@\S+\s+|\w+\s+)*import\s+(?:\w+\s+)?(\w+)/)
        else { continue }
        #expect(Self.imports.contains(String(match.1)), "\(module)/\(file): \(line)")
      }
    }
    let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
    #expect(!manifest.contains(".package("), "no other package is resolved")
  }
}

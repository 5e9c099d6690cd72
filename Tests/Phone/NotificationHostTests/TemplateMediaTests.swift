import Foundation
import MediaLoading
import NotificationHost
import NotificationHostTesting
import NotificationTemplates
import PushPayload
import RichNotifications
import Synchronization
import TestSupport
import Testing
import UserNotifications

/// The pages of a carousel on a simulated phone, over a scripted network.
@Suite("The media of a template on a phone", .timeLimit(.minutes(10)))
struct TemplateMediaTests {
  static let png = ScriptedNetwork.Response.fixture("picture.png")

  /// A payload with these pages, and attached media.
  private static func carousel(_ urls: [String], media: [String] = []) -> JSONValue {
    [
      "aps": [
        "alert": ["title": "T", "body": "B"], "category": "expanded", "mutable-content": 1,
      ],
      "_martlet": [
        "media": .array(media.map { ["url": .string($0)] }), "alternative_text": "alt",
        "template": [
          "kind": "carousel", "pages": .array(urls.map { ["media": ["url": .string($0)]] }),
        ],
      ],
    ]
  }

  private static let urls = (1...4).map { "https://a/\($0)" }

  /// A phone whose extension has an app group.
  private static func phone(
    _ answers: [String: ScriptedNetwork.Response], group: TemporaryFolder,
    bandwidth: Int? = nil, _ configuration: RichConfiguration = RichConfiguration()
  ) throws -> Phone {
    try Phone(answers, bandwidth: bandwidth, configuration: configuration) { [url = group.url] in
      $0.appGroupFolder = url
    }
  }

  /// What a content extension can show of a delivered notification.
  private static func prepared(
    _ report: DeliveryReport, _ group: TemporaryFolder
  ) throws -> PreparedTemplate {
    let content = try #require(report.content)
    let reading = TemplateTable.standard.read(
      content.userInfo, category: content.categoryIdentifier, delivered: 0)
    return PreparedTemplate(
      try #require(reading.template), request: content.requestIdentifier,
      in: AppGroupFiles(container: group.url))
  }

  @Test("the content extension finds them by the request's identifier")
  func whole() async throws {
    let group = TemporaryFolder()
    let phone = try Self.phone(
      Dictionary(uniqueKeysWithValues: Self.urls.map { ($0, Self.png) }), group: group)
    let report = await phone.deliver(Self.carousel(Self.urls, media: [Self.urls[0]]))
    #expect(report.attachments.count == 1, "the system has moved the file of this page")
    let prepared = try Self.prepared(report, group)
    #expect(prepared.missing.isEmpty && prepared.template.pages.count == 4)
    for path in prepared.files.values {
      let bytes = try Data(contentsOf: AppGroupFiles(container: group.url).url(path))
      #expect(try bytes == Data(Fixtures.bytes("media/picture.png")))
    }
    #expect(prepared.pictureSizes["3"] == TemplateSize(width: 960, height: 640))
    #expect(phone.network.requests.count == 4 && phone.leftovers == [])
  }

  /// A response to the second page, and the reason why the page is missing.
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var answer: ScriptedNetwork.Response
    var reason: String?
  }

  static let cases: [Case] = [
    Case(
      testDescription: "a page that is not there", answer: .init(status: 404),
      reason: "http-status"),
    Case(
      testDescription: "a server that is down for good", answer: .init(status: 503),
      reason: "http-status"),
    Case(
      testDescription: "a server that stops sending", answer: png.with { $0.stallsAfter = 1000 },
      reason: "timeout"),
    Case(
      testDescription: "a lost connection", answer: png.with { $0.breaksAfter = 1000 },
      reason: "network"),
    Case(
      testDescription: "a web page", answer: .fixture("not-an-image.png"),
      reason: "unsupported-type"),
    Case(testDescription: "a movie", answer: .fixture("gold.mp4"), reason: "other-kind"),
    Case(
      testDescription: "an announced length over the limit",
      answer: png.with { $0.announcedLength = 60_000_000 }, reason: "too-large"),
    Case(
      testDescription: "a body over the limit",
      answer: .init(body: .endless((try? Fixtures.bytes("media/photo.jpg")) ?? [])),
      reason: "too-large"),
    Case(
      testDescription: "a redirect to a picture",
      answer: .init().with { $0.redirectsTo = URL(string: "https://a/moved") }, reason: nil),
    Case(
      testDescription: "a redirect to itself",
      answer: .init().with { $0.redirectsTo = URL(string: "https://a/2") },
      reason: "too-many-redirects"),
    Case(
      testDescription: "a redirect without encryption",
      answer: .init().with { $0.redirectsTo = URL(string: "http://a/moved") }, reason: "not-https"),
    Case(
      testDescription: "a refused connection", answer: .init().with { $0.failure = .refused },
      reason: "network"),
  ]

  @Test("a page that fails is left out, and the others are shown", arguments: cases)
  func failing(case: Case) async throws {
    let group = TemporaryFolder()
    var answers = Dictionary(uniqueKeysWithValues: Self.urls.map { ($0, Self.png) })
    answers["https://a/2"] = `case`.answer
    answers["https://a/moved"] = Self.png
    let phone = try Self.phone(answers, group: group)
    let report = await phone.deliver(Self.carousel(Self.urls))
    #expect(report.outcome == .displayed && phone.handlerCalls == 1)
    #expect(report.content?.body == "B")
    let prepared = try Self.prepared(report, group)
    #expect(prepared.missing.map(\.reason) == (`case`.reason.map { [$0] } ?? []))
    #expect(prepared.files.count == (`case`.reason == nil ? 4 : 3))
    #expect(phone.leftovers == [])
    #expect(
      phone.enriched?.templateMedia.compactMap { $0.reason?.rawValue }
        == prepared.missing.map(\.reason))
  }

  @Test("pages that are too slow are missing at the deadline, half way through the carousel")
  func slow() async throws {
    let group = TemporaryFolder()
    // Each picture has 118,648 bytes, and two of four are received within 25 seconds.
    let phone = try Self.phone(
      Dictionary(uniqueKeysWithValues: Self.urls.map { ($0, Self.png) }), group: group,
      bandwidth: 13_000, Self.one(atOnce: 1))
    let report = await phone.deliver(Self.carousel(Self.urls))
    #expect(report.run.elapsed < .seconds(29) && !report.run.expired)
    let prepared = try Self.prepared(report, group)
    #expect(prepared.template.pages.map(\.media.id) == ["1", "2"])
    #expect(prepared.missing == ["3", "4"].map { .init(id: $0, reason: "timeout") })
    #expect(phone.leftovers == [])
    await phone.runOn()
    let files = FileManager.default.enumerator(atPath: group.url.path)?
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".png") || $0.hasSuffix(".part") }
    #expect(files?.count == 2)
  }

  private static func one(atOnce count: Int) -> RichConfiguration {
    var configuration = RichConfiguration()
    configuration.media.maximumParallel = count
    return configuration
  }

  @Test("the bytes of a notification are those of attachments and pages together")
  func budget() async throws {
    let group = TemporaryFolder()
    var configuration = RichConfiguration()
    configuration.media.maximumBytes = 3 * 118_648
    let answers = Dictionary(uniqueKeysWithValues: Self.urls.map { ($0, Self.png) })
    let phone = try Self.phone(answers, group: group, configuration)
    let report = await phone.deliver(
      Self.carousel(Array(Self.urls.dropFirst()), media: [Self.urls[0]]))
    #expect(report.attachments.count == 1)
    #expect(try Self.prepared(report, group).missing.map(\.reason) == ["budget"])
  }

  @Test("a second phone push at the same time has a set of its own")
  func twoAtOnce() async throws {
    let group = TemporaryFolder()
    let answers = Dictionary(uniqueKeysWithValues: Self.urls.map { ($0, Self.png) })
    let phone = try Self.phone(answers, group: group)
    let hold = phone.clock.hold(freezeLimit: .seconds(60))
    async let first = phone.deliver(Self.carousel(Self.urls))
    async let second = phone.deliver(Self.carousel(Array(Self.urls.reversed())))
    hold.release()
    for report in [await first, await second] {
      #expect(try Self.prepared(report, group).missing.isEmpty)
    }
  }

  /// An app's extension as it is shipped.
  final class NotificationService: RichNotificationService {}

  @Test("the app group of the Info.plist is used, and without one the pages are attached")
  func infoPlist() async throws {
    let group = TemporaryFolder()
    let answers = Dictionary(
      uniqueKeysWithValues: Self.urls.map {
        ($0, ScriptedNetwork.Response(body: .onePixelPNG))
      })
    for hasGroup in [true, false] {
      let phone = try TestPhone(answers) { app in
        guard hasGroup else { return }
        app.extensionInfo = ["Martlet": ["AppGroup": "group.com.example.app"]]
        app.appGroup = group.url
        app.appGroupIdentifier = "group.com.example.app"
      } makeExtension: {
        NotificationService()
      }
      let payload = String(decoding: Self.carousel(Self.urls).serialized(), as: UTF8.self)
      let report = try await phone.deliver(payload)
      #expect(report.attachments.count == (hasGroup ? 0 : 4))
      if hasGroup {
        #expect(try Self.prepared(report, group).missing.isEmpty)
      } else {
        #expect(report.attachments.map(\.identifier) == ["1", "2", "3", "4"])
      }
    }
  }

  /// The anonymous memory of this process in kilobytes.
  private static func anonymousMemory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  /// Runs in its own process, to measure the memory of the process.
  @Test("four pages of 9 million bytes need less than 4 MB of memory")
  func memory() async {
    await #expect(processExitsWith: .success) {
      let (folder, group) = (TemporaryFolder(), TemporaryFolder())
      let file = try folder.sparse("photo.jpg", bytes: 9_000_000, as: "page.jpg")
      var answers = Dictionary(
        uniqueKeysWithValues: TemplateMediaTests.urls.map {
          ($0, ScriptedNetwork.Response(body: .file(file)))
        })
      for url in ["https://b/1", "https://b/2"] { answers[url] = TemplateMediaTests.png }
      let phone = try TemplateMediaTests.phone(answers, group: group)
      // Everything that is made once is made.
      _ = await phone.deliver(TemplateMediaTests.carousel(["https://b/1", "https://b/2"]))
      let before = TemplateMediaTests.anonymousMemory()
      let most = Mutex((pieces: 0, memory: 0))
      let network = WatchedNetwork(phone.network) { _ in
      } received: { _ in
        most.withLock { most in
          most.pieces += 1
          if most.pieces % 64 == 0 {
            most.memory = max(most.memory, TemplateMediaTests.anonymousMemory())
          }
        }
      }
      let report = await phone.deliver(
        TemplateMediaTests.carousel(TemplateMediaTests.urls), over: network)
      #expect(try TemplateMediaTests.prepared(report, group).missing.isEmpty)
      let (pieces, memory) = most.withLock { $0 }
      #expect(pieces > 2000)
      #expect(memory - before < 4096, "\(memory - before) KB")
    }
  }
}

import Foundation
import MediaLoading
import NotificationHost
import PushPayload
import RichNotifications
import TestSupport
import Testing

/// The features of the library, tested end to end. This file tests payloads and the choice
/// of media.
@Suite("Features, end to end", .timeLimit(.minutes(10)))
struct FeatureTests {
  static let png = ScriptedNetwork.Response.fixture("picture.png")
  static let film = ScriptedNetwork.Response.fixture("gold.mp4")

  /// The fixtures: a typical payload of each vendor, with the expected result.
  static let vendors: [String] = {
    let folder = Fixtures.url("dialects").path()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { !$0.hasSuffix(".json") }.sorted()
  }()

  static func expectation(of vendor: String) throws -> JSONValue {
    let all = try JSONValue(parsing: Data(Fixtures.bytes("dialects/expectations.json")))
    return try #require(all["\(vendor)/typical"])
  }

  @Test("every vendor's payload is shown", arguments: vendors)
  func everyVendor(vendor: String) async throws {
    let expected = try Self.expectation(of: vendor)
    let urls = (expected["media"]?.array ?? []).compactMap { $0["url"]?.string }
    var configuration = RichConfiguration()
    configuration.media.allowsPlainHTTP = true
    let remote = urls.filter { $0.hasPrefix("http") }
    let phone = try Phone(
      Dictionary(remote.map { ($0, Self.png) }) { first, _ in first }, configuration: configuration
    ) { $0.bundledFile = { _ in Fixtures.url("media/gold.mp4") } }
    var payload = try JSONValue(parsing: Data(Fixtures.bytes("dialects/\(vendor)/typical.json")))
    // The one hash of the fixtures is no picture's.
    if vendor == "martlet" { payload = payload.without("sha256") }
    let report = await phone.deliver(payload)
    #expect(phone.enriched?.dialect.rawValue == expected["dialect"]?.string)
    #expect(report.attachments.count == min(urls.count, 5))
    #expect(report.outcome == .displayed && report.run.handlerCalls == 1)
  }

  @Test(
    "each kind of media has its own exact limit, even with a wrong Content-Length",
    arguments: [("picture.png", 10_000_000), ("chime.mp3", 5_000_000), ("gold.mp4", 50_000_000)])
  func limits(fixture: String, limit: Int) async throws {
    let folder = TemporaryFolder()
    let whole = try folder.sparse(fixture, bytes: limit, as: "whole")
    let over = try folder.sparse(fixture, bytes: limit + 1, as: "over")
    let phone = try Phone([
      "https://a/whole": .init(body: .file(whole)), "https://a/over": .init(body: .file(over)),
      "https://a/silent": .init(body: .file(over)).with { $0.announcesLength = false },
    ])
    var configuration = RichConfiguration()
    configuration.media.maximumBytes = .max
    let report = await phone.deliver(
      Push.media("https://a/over", "https://a/whole", "https://a/silent"), configuration)
    #expect(phone.enriched?.media.map(\.reason) == [.tooLarge, nil, .tooLarge])
    #expect(phone.enriched?.attachments.map(\.bytes) == [Int64(limit)])
    #expect(report.attachments.count == 1)
    #expect(phone.leftovers == [])
  }

  @Test(
    "status, declared type and bytes decide whether it is media; the bytes decide the type",
    arguments: [
      (200, "image/png", "picture.png", "public.png"),
      (200, "text/html; charset=utf-8", "picture.png", "public.png"),
      (200, "image/png", "not-an-image.png", nil), (404, "image/png", "picture.png", nil),
      (200, "video/mp4", "cloudy.gif", "com.compuserve.gif"), (500, nil, "gold.mp4", nil),
    ] as [(Int, String?, String, String?)])
  func agreement(status: Int, mime: String?, fixture: String, type: String?) async throws {
    let answer = ScriptedNetwork.Response.fixture(fixture).with {
      ($0.status, $0.mimeType) = (status, mime)
    }
    let report = await (try Phone(["https://a/i.png": answer])).deliver(
      Push.media("https://a/i.png"))
    #expect(report.attachments.map(\.type) == (type.map { [$0] } ?? []))
    #expect(report.content?.body == (type == nil ? "alt" : "B"))
  }

  @Test("all files share one deadline, and a stalled file is replaced in time by its fallback")
  func deadline() async throws {
    let phone = try Phone([
      "https://a/film": Self.film.with { $0.stallsAfter = 1000 },
      "https://a/small": Self.film.with { $0.stallsAfter = 0 }, "https://a/poster": Self.png,
      "https://a/other": Self.png.with { $0.stallsAfter = 9 },
    ])
    let item: JSONValue = [
      "url": "https://a/film", "alternative_url": "https://a/small",
      "poster_url": "https://a/poster",
    ]
    let report = await phone.deliver(Push.media([item, ["url": "https://a/other"]]))
    #expect(report.attachments.map(\.type) == ["public.png"], "the poster, for both films stalled")
    #expect(phone.enriched?.media.map(\.result) == [.alternative, .failed])
    #expect(report.run.elapsed >= .seconds(25) && report.run.elapsed < .seconds(29))
    #expect(!report.run.expired)
  }

  @Test("at the warning all finished files are shown, in the payload's order")
  func bestAttempt() async throws {
    let phone = try Phone(
      [
        "https://a/1": Self.film, "https://a/2": Self.png.with { $0.stallsAfter = 100 },
        "https://a/3": .fixture("photo.jpg"), "https://a/4": .fixture("chime.wav"),
      ], bandwidth: 200_000, configuration: RichConfiguration(deadline: .seconds(100)))
    let report = await phone.deliver(
      Push.media("https://a/1", "https://a/2", "https://a/3", "https://a/4"))
    #expect(report.run.expired && report.run.handlerCalls == 1 && report.outcome == .displayed)
    #expect(
      report.attachments.map(\.type) == [
        "public.mpeg-4", "public.jpeg", "com.microsoft.waveform-audio",
      ])
    #expect(report.content?.title == "T" && report.content?.body == "alt")
  }

  @Test(
    "a fallback text for any vendor's key, and a fallback URL before it",
    arguments: [
      (#""_mediaUrl":"https://a/gone","_mediaAlt":"words""#, "words", 0),
      (
        #""_martlet":{"media":[{"url":"https://a/gone"}],"alternative_text":"words"}"#, "words", 0
      ),
      (
        #""_martlet":{"media":[{"url":"https://a/gone","alternative_url":"https://a/i"}],"alternative_text":"words"}"#,
        "B", 1
      ),
      (#""own":{"picture":"https://a/gone","words":"words"}"#, "words", 0),
      (#""own":{"picture":"https://a/i","words":"words"}"#, "B", 1),
    ])
  func alternativeText(keys: String, body: String, count: Int) async throws {
    let own = Dialect.custom(media: ["own.picture"], alternativeText: ["own.words"])
    let phone = try Phone(
      ["https://a/i": Self.png, "https://a/gone": .init(status: 404)],
      configuration: RichConfiguration(dialects: DialectTable.standard.preceded(by: own)))
    let report = try await phone.deliver(
      #"{"aps":{"alert":"B","mutable-content":1},\#(keys)}"#)
    #expect(report.content?.body == body && report.attachments.count == count)
  }

  @Test("an encrypted payload is decrypted before anything is read")
  func encryption() async throws {
    let (configuration, seal) = try Sealed.make()
    let inner =
      #"{"aps":{"alert":{"title":"Ann","body":"Hi"}},"_martlet":{"media":[{"url":"https://a/i"}]}}"#
    let phone = try Phone(
      ["https://a/i": Self.png, "https://relay/i": Self.png], configuration: configuration)
    var outer: [String: JSONValue] = [
      "aps": ["alert": "New message", "mutable-content": 1], "_mediaUrl": "https://relay/i",
      "_enc": .string(try seal(inner)),
    ]
    let opened = await phone.deliver(.object(outer))
    #expect(opened.content?.title == "Ann" && opened.content?.body == "Hi")
    #expect(opened.attachments.count == 1)
    #expect(phone.network.requests.map(\.url.absoluteString) == ["https://a/i"])
    outer["_enc"] = .string(String(try seal(inner).reversed()))
    let closed = await phone.deliver(.object(outer))
    #expect(closed.content?.body == "New message" && closed.attachments.isEmpty)
    #expect(closed.outcome == .displayed && phone.network.requests.count == 1)
  }
}

extension JSONValue {
  /// The value without a key, at any depth.
  fileprivate func without(_ key: String) -> JSONValue {
    switch self {
    case .object(let members):
      .object(members.filter { $0.key != key }.mapValues { $0.without(key) })
    case .array(let elements): .array(elements.map { $0.without(key) })
    default: self
    }
  }
}

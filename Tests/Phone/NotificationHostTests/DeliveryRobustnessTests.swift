import Foundation
import MediaLoading
import NotificationHost
import PushPayload
import RichNotifications
import Synchronization
import TestSupport
import Testing
@_spi(Host) import UserNotifications

/// The most common defects of service extensions, tested with host, extension,
/// network and clock.
@Suite(
  "The fifteen most common defects of service extensions do not occur", .timeLimit(.minutes(10)))
struct DeliveryRobustnessTests {
  static let png = ScriptedNetwork.Response.fixture("picture.png")

  @Test(
    "the handler is called once, however close response, deadline, warning and end are",
    arguments: [24_999, 25_000, 25_001, 28_999, 29_000, 29_001, 29_999], [25, 29, 30, 60])
  func once(answer: Int, deadline: Int) async throws {
    let phone = try Phone(
      ["https://a/i": Self.png], latency: .milliseconds(answer),
      configuration: RichConfiguration(deadline: .seconds(deadline)))
    let report = await phone.deliver(Push.media("https://a/i"))
    await phone.runOn()
    #expect(phone.handlerCalls == 1 && report.run.handlerCalls == 1)
    #expect(report.outcome == .displayed)
    #expect(report.content?.body == (report.attachments.isEmpty ? "alt" : "B"))
    #expect(report.attachments.isEmpty || answer <= min(deadline, 29) * 1000)
    #expect(phone.leftovers == [])
  }

  @Test(
    "for an unknown or unusual payload the handler is called at once",
    arguments: [
      "", #","attachment":{"url":null}"#, #","data":"{\"image\":""#, #","media":[]"#,
      #","_martlet":{}"#, #","_martlet":[]"#, #","_martlet":{"media":"none"}"#,
      #","_martlet":{"media":[{}]}"#, #","_martlet":{"media":[{"url":""}]}"#, #","_enc":"AAAA""#,
      #","fcm_options":{"image":7}"#, #","custom":{"i":null}"#, #","att":{"id":""}"#,
      #","_mediaUrl":"https://""#, #","_mediaUrl":"https://a b/%""#, #","image_url":{}"#,
      #","":"","\u0000":"\u0000""#,
    ])
  func foreign(rest: String) async throws {
    let virtual = VirtualClock()
    let clock = RecordingClock(virtual)
    let phone = try Phone(clock: virtual) { $0.clock = clock }
    let report = try await phone.deliver(
      #"{"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1}\#(rest)}"#)
    #expect(report.run.handlerCalls == 1)
    #expect(report.outcome == .displayed && report.content?.body == "B")
    #expect(clock.delays.allSatisfy { $0 == .seconds(25) }, "nothing but the deadline is set")
    #expect(report.run.elapsed < .seconds(25))
  }

  @Test(
    "the file's extension follows its bytes, not its URL or Content-Type",
    arguments: [
      ("https://a/photo.jpg?format=webp&name=x.mp4", "picture.png", "image/jpeg", "png"),
      ("https://a/photo.jpg", "cloudy.gif", "image/jpeg", "gif"),
      ("https://a/0a1b2c", "photo.jpg", nil, "jpeg"),
      ("https://a/o/pic%2Ffolder?alt=media&token=1", "picture.png", "application/json", "png"),
      ("https://a/image.php", "gold.mp4", "text/html", "mp4"),
      ("https://a/i.PNG#.gif", "photo.jpg", "image/png", "jpeg"),
      ("https://a/.gif", "chime.mp3", "image/gif", "mp3"),
    ] as [(String, String, String?, String)])
  func ending(url: String, fixture: String, mime: String?, pathExtension: String) async throws {
    let phone = try Phone([url: .fixture(fixture).with { $0.mimeType = mime }])
    let report = await phone.deliver(Push.media(url))
    #expect(report.attachments.map(\.file.pathExtension) == [pathExtension])
  }

  @Test(
    "the type is determined from the bytes alone",
    arguments: [
      ("cloudy.gif", "com.compuserve.gif"), ("picture.png", "public.png"),
      ("photo.jpg", "public.jpeg"), ("gold.mp4", "public.mpeg-4"), ("chime.mp3", "public.mp3"),
      ("chime.wav", "com.microsoft.waveform-audio"),
    ])
  func types(fixture: String, type: String) async throws {
    let answer = ScriptedNetwork.Response.fixture(fixture).with {
      $0.mimeType = "application/octet-stream"
    }
    let report = await (try Phone(["https://a/download": answer])).deliver(
      Push.media("https://a/download"))
    #expect(report.attachments.map(\.type) == [type])
    let shown = try #require(report.attachments.first)
    #expect(try Data(contentsOf: shown.file) == Data(Fixtures.bytes("media/\(fixture)")))
  }

  static let page = Array("<!DOCTYPE html><html><body>Not found</body></html>".utf8)

  @Test(
    "an error's image and a page with an image's Content-Type are not attached",
    arguments: [
      (png.with { $0.status = 404 }, MediaFailure.Reason.httpStatus),
      (png.with { $0.status = 403 }, .httpStatus),
      (.init(body: .bytes(page)).with { $0.mimeType = "image/png" }, .unsupportedType),
      (.init(body: .bytes(Array(#"{"error":"gone"}"#.utf8))), .unsupportedType),
      (.init(status: 204), .unsupportedType),
    ])
  func noMedia(answer: ScriptedNetwork.Response, reason: MediaFailure.Reason) async throws {
    let phone = try Phone(["https://a/i.png": answer])
    let report = await phone.deliver(Push.media("https://a/i.png"))
    #expect(report.attachments.isEmpty && report.content?.body == "alt")
    #expect(phone.enriched?.media.map(\.reason) == [reason])
    #expect(phone.leftovers == [])
  }

  @Test("a body without a length stops at the limit of its kind")
  func counted() async throws {
    let limits = [("picture.png", 10_000_000), ("chime.mp3", 5_000_000), ("gold.mp4", 50_000_000)]
    let folder = TemporaryFolder()
    for (fixture, limit) in limits {
      let file = try folder.sparse(fixture, bytes: limit + 1_000_000, as: fixture)
      let received = Mutex(0)
      let phone = try Phone([
        "https://a/i": .init(body: .file(file)).with { $0.announcesLength = false }
      ])
      let network = WatchedNetwork(
        phone.network, received: { count in received.withLock { $0 += count } })
      let report = await phone.deliver(Push.media("https://a/i"), over: network)
      #expect(report.attachments.isEmpty && report.content?.body == "alt", "\(fixture)")
      #expect(phone.enriched?.media.map(\.reason) == [.tooLarge], "\(fixture)")
      let count = received.withLock { $0 }
      #expect(count > limit && count <= limit + 16_384, "it stops within a piece")
      #expect(phone.enriched?.media.map(\.bytes) == [Int64(count)])
      #expect(phone.leftovers == [])
    }
  }

  @Test("files with the same name, in one push or in two, do not conflict")
  func names() async throws {
    let urls = ["https://a/photo.jpg", "https://b/photo.jpg", "https://b/photo.jpg?2"]
    let fixtures = ["photo.jpg", "picture.png", "cloudy.gif"]
    let phone = try Phone(
      Dictionary(uniqueKeysWithValues: zip(urls, fixtures.map { .fixture($0) })))
    let hold = phone.clock.hold(freezeLimit: .seconds(60))
    async let first = phone.deliver(Push.media(urls[0], urls[1], urls[2]))
    async let second = phone.deliver(Push.media(urls[1], urls[0]))
    hold.release()
    for (report, names) in [
      (await first, fixtures), (await second, [fixtures[1], fixtures[0]]),
    ] {
      let shown = try report.attachments.map { try Data(contentsOf: $0.file) }
      #expect(try shown == names.map { Data(try Fixtures.bytes("media/\($0)")) })
    }
    #expect(phone.leftovers == [])
  }

  @Test(
    "a URL's path never becomes a path on the phone",
    arguments: [
      "https://a/..%2F..%2F..%2Fpwned.png", "https://a/%00.png", "https://a/a%0Ab.png",
      "https://a/" + String(repeating: "x", count: 3000) + ".png", "https://a/~%2F.%2F",
      "https://a/con:aux%5Cnul.png", "https://a/.part", "https://a/../../pwned.png",
    ])
  func paths(url: String) async throws {
    let asked = try #require(URL(string: url)).absoluteString
    let phone = try Phone([asked: Self.png])
    let report = await phone.deliver(Push.media(url))
    let shown = try #require(report.attachments.first)
    let kept = phone.folder.url.appending(path: "Attachments").pathComponents
    #expect(shown.file.pathComponents.dropLast() == kept[...])
    #expect(phone.folder.contents == ["Attachments"])
  }
}

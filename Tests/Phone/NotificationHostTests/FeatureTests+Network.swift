import Foundation
import MediaLoading
import NotificationHost
import PushCrypto
import PushPayload
import RichNotifications
import TestSupport
import Testing

/// Sources, cost, retries and order of media.
extension FeatureTests {
  @Test("a file is shown only if it has the payload's SHA-256")
  func integrity() async throws {
    let phone = try Phone(["https://a/i": Self.png, "https://a/j": .fixture("photo.jpg")]) {
      $0.crypto = Sealed.crypto
    }
    var hash = Sealed.crypto.makeSHA256()
    try Fixtures.bytes("media/picture.png").withUnsafeBytes { hash.update($0) }
    let digits = hash.finalize().map { byte in
      String(repeating: "0", count: byte < 16 ? 1 : 0) + String(byte, radix: 16)
    }
    let digest = JSONValue.string(digits.joined())
    let right = await phone.deliver(Push.media([["url": "https://a/i", "sha256": digest]]))
    #expect(right.attachments.map(\.type) == ["public.png"])
    let wrong = await phone.deliver(Push.media([["url": "https://a/j", "sha256": digest]]))
    #expect(wrong.attachments.isEmpty && wrong.content?.body == "alt")
    #expect(phone.enriched?.media.map(\.reason) == [.digest])
    #expect(phone.leftovers == [])
  }

  @Test(
    "hosts, schemes, addresses and credentials of URLs are checked, also after redirects",
    arguments: [
      ("https://evil/i", MediaFailure.Reason.hostNotAllowed), ("http://cdn.example/i", .notHTTPS),
      ("https://me:pw@cdn.example/i", .credentials), ("https://10.0.0.1/i", .privateAddress),
      ("https://[::1]/i", .privateAddress), ("https://cdn.example.evil/i", .hostNotAllowed),
    ])
  func places(url: String, reason: MediaFailure.Reason) async throws {
    var configuration = RichConfiguration()
    configuration.media.allowedHosts = ["cdn.example", "*.cdn.example", "10.0.0.1", "[::1]", "::1"]
    let redirect = ScriptedNetwork.Response(status: 302, headers: ["Location": url])
    let phone = try Phone(
      [url: Self.png, "https://cdn.example/r": redirect, "https://img.cdn.example/i": Self.png],
      configuration: configuration)
    let report = await phone.deliver(
      Push.media(url, "https://cdn.example/r", "https://img.cdn.example/i"))
    #expect(phone.enriched?.media.map(\.reason) == [reason, reason, nil])
    #expect(report.attachments.count == 1)
    #expect(!phone.network.requests.contains { $0.url.absoluteString == url }, "never asked")
  }

  @Test("the app's credentials are sent only to the URL's origin")
  func credentials() async throws {
    var configuration = RichConfiguration()
    configuration.media.headers = { url in
      url.host() == "private.example" ? ["Authorization": "Bearer 1"] : [:]
    }
    func redirect(_ url: String) -> ScriptedNetwork.Response {
      .init(status: 307, headers: ["Location": url])
    }
    let phone = try Phone(
      [
        "https://private.example/1": redirect("/2"),
        "https://private.example/2": redirect("https://cdn.example/3"),
        "https://cdn.example/3": redirect("https://private.example:8443/4"),
        "https://private.example:8443/4": Self.png,
      ], configuration: configuration)
    let report = await phone.deliver(Push.media("https://private.example/1"))
    #expect(report.attachments.count == 1)
    #expect(
      phone.network.requests.map(\.headers) == [
        ["Authorization": "Bearer 1"], ["Authorization": "Bearer 1"], [:], [:],
      ])
  }

  @Test(
    "in Low Data Mode a video is replaced by its poster, or all media by the text",
    arguments: [
      (MediaPolicy.LowDataMode.full, ["public.mpeg-4", "public.png"]),
      (.smaller, ["public.png", "public.png"]), (.text, []),
    ])
  func cost(mode: MediaPolicy.LowDataMode, types: [String]) async throws {
    var configuration = RichConfiguration()
    configuration.media.lowDataMode = mode
    var answers = ["https://a/poster.png": Self.png, "https://a/i.png": Self.png]
    answers["https://a/film.mp4"] = Self.film
    let phone = try Phone(answers, isConstrained: true, configuration: configuration)
    let report = await phone.deliver(
      Push.media([
        ["url": "https://a/film.mp4", "poster_url": "https://a/poster.png"],
        ["url": "https://a/i.png"],
      ]))
    #expect(report.attachments.map(\.type) == types)
    #expect(phone.network.requests.count == types.count, "what is not for it is not asked for")
    #expect(report.content?.body == (mode == .text ? "alt" : "B"))
  }

  @Test("attachments have the payload's order, and a repeated URL is fetched once")
  func order() async throws {
    let phone = try Phone(
      [
        "https://a/large": Self.film, "https://a/small": .fixture("chime.wav"),
        "https://a/middle": Self.png,
      ], bandwidth: 100_000)
    let urls = ["https://a/large", "https://a/small", "https://a/large", "https://a/middle"]
    let report = await phone.deliver(Push.media(urls[0], urls[1], urls[2], urls[3]))
    #expect(
      report.attachments.map(\.type) == [
        "public.mpeg-4", "com.microsoft.waveform-audio", "public.mpeg-4", "public.png",
      ])
    #expect(Set(report.attachments.map(\.file)).count == 4)
    let asked = phone.network.requests.map(\.url.absoluteString)
    #expect(asked.sorted() == Set(urls).sorted())
    #expect(phone.leftovers == [])
  }

  static let broken = png.with {
    $0.headers["ETag"] = "\"1\""
    $0.breaksAfter = 50_000
  }

  @Test(
    "a transient failure is retried within the deadline, and the download is resumed",
    arguments: [
      ([broken, png.with { $0.headers["ETag"] = "\"1\"" }], true, [nil, "bytes=50000-"]),
      ([broken, png.with { $0.headers["ETag"] = "\"2\"" }], true, [nil, "bytes=50000-"]),
      ([broken.with { $0.headers = [:] }, png], true, [nil, nil]),
      ([.init(status: 503), .init(status: 502), png], true, [nil, nil, nil]),
      ([.init(status: 503, headers: ["Retry-After": "3600"]), png], false, [nil]),
      ([.init(status: 404), png], false, [nil]),
      ([broken, broken, broken], true, [nil, "bytes=50000-", "bytes=100000-"]),
      (
        Array(repeating: broken.with { $0.breaksAfter = 30_000 }, count: 4), false,
        [nil, "bytes=30000-", "bytes=60000-"]
      ),
    ] as [([ScriptedNetwork.Response], Bool, [String?])])
  func retries(answers: [ScriptedNetwork.Response], isShown: Bool, ranges: [String?]) async throws {
    let phone = try Phone(inSequence: ["https://a/i": answers])
    let report = await phone.deliver(Push.media("https://a/i"))
    #expect(phone.network.requests.map { $0.headers["Range"] } == ranges)
    #expect(report.run.elapsed < .seconds(25))
    #expect(report.attachments.count == (isShown ? 1 : 0))
    if let shown = report.attachments.first {
      #expect(try Data(contentsOf: shown.file) == Data(Fixtures.bytes("media/picture.png")))
    }
    #expect(phone.leftovers == [])
  }
}

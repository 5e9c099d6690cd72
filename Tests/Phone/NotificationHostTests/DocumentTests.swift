import Foundation
import NotificationHost
import PushPayload
import RichNotifications
import TestSupport
import Testing

/// The documented behavior, end to end in the model of iOS.
@Suite("The documented behavior of the extension", .timeLimit(.minutes(10)))
struct DocumentTests {
  static let alert = #""aps":{"alert":{"title":"T","subtitle":"S","body":"B"},"mutable-content":1}"#

  @Test("the service copies the content, fetches, attaches and calls the handler once")
  func attaches() async throws {
    let phone = try Phone(["https://a/cloudy.gif": .fixture("cloudy.gif")])
    let report = try await phone.deliver(
      "{\(Self.alert),\"image_url\":\"https://a/cloudy.gif\",\"mine\":1}")
    #expect(report.outcome == .displayed)
    #expect(report.run.handlerCalls == 1)
    #expect(report.content?.title == "T" && report.content?.body == "B")
    #expect(report.content?.userInfo["mine"] == 1)
    let attachment = try #require(report.attachments.first)
    #expect(attachment.type == "com.compuserve.gif")
    #expect(try Data(contentsOf: attachment.file) == Data(Fixtures.bytes("media/cloudy.gif")))
    #expect(phone.folder.contents == ["Attachments"], "the original is gone")
  }

  @Test(
    "a video takes precedence over an image; null is ignored; without media the content is unchanged",
    arguments: [
      (#""video_url":"https://a/v","image_url":"https://a/i""#, ["public.mpeg-4"]),
      (#""video_url":null,"image_url":"https://a/i""#, ["public.png"]),
      (#""video_url":null,"image_url":null"#, []),
    ])
  func preference(keys: String, types: [String]) async throws {
    let phone = try Phone([
      "https://a/v": .fixture("gold.mp4"), "https://a/i": .fixture("picture.png"),
    ])
    let report = try await phone.deliver("{\(Self.alert),\"_st\":{\(keys)}}")
    #expect(report.attachments.map(\.type) == types)
    #expect(report.content?.body == "B")
  }

  @Test(
    "media of every documented key are shown",
    arguments: [
      #""_st":{"image_url":"https://a/i"}"#, #""image_url":"https://a/i""#,
      #""_mediaUrl":"https://a/i""#,
      #""imageAbsoluteString":"https://a/i""#, #""my":{"key":"https://a/i"}"#,
    ])
  func places(keys: String) async throws {
    let table = DialectTable.standard.preceded(by: .custom(media: ["my.key"]))
    let phone = try Phone(
      ["https://a/i": .fixture("photo.jpg")], configuration: RichConfiguration(dialects: table))
    let report = try await phone.deliver("{\(Self.alert),\(keys)}")
    #expect(report.attachments.map(\.type) == ["public.jpeg"])
  }

  @Test("the title of the payload replaces the alert's")
  func title() async throws {
    let report = try await Phone().deliver("{\(Self.alert),\"_st\":{},\"title\":\"New\"}")
    #expect(report.content?.title == "New")
    #expect(report.content?.subtitle == "S")
  }

  @Test(
    "the file's extension is that of its true type, whatever the URL",
    arguments: [
      ("https://a/picture.jpg?x=y.gif", "picture.png", "png"),
      ("https://a/download", "gold.mp4", "mp4"),
      ("https://a/sound.bin", "chime.mp3", "mp3"), ("https://a/%20", "chime.wav", "wav"),
      ("https://a/..", "photo.jpg", "jpeg"),
    ])
  func names(url: String, fixture: String, pathExtension: String) async throws {
    let phone = try Phone([url: .fixture(fixture)])
    let report = try await phone.deliver("{\(Self.alert),\"image_url\":\"\(url)\"}")
    #expect(report.attachments.map(\.file.pathExtension) == [pathExtension])
  }

  struct Failure: CustomTestStringConvertible {
    var testDescription: String
    var answer: ScriptedNetwork.Response?
    var url = "https://a/i"
    var reason: MediaFailure.Reason

    static func answer(_ change: (inout ScriptedNetwork.Response) -> Void)
      -> ScriptedNetwork.Response
    {
      var answer = ScriptedNetwork.Response.fixture("picture.png")
      change(&answer)
      return answer
    }
  }

  @Test(
    "any failure delivers the text, with the fallback text as body",
    arguments: [
      Failure(
        testDescription: "404", answer: Failure.answer { $0.status = 404 }, reason: .httpStatus),
      Failure(
        testDescription: "500 with an image", answer: Failure.answer { $0.status = 500 },
        reason: .httpStatus),
      Failure(
        testDescription: "HTML with an image's name", answer: .fixture("not-an-image.png"),
        url: "https://a/i.png", reason: .unsupportedType),
      Failure(
        testDescription: "an endless body",
        answer: .init(body: .endless([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])),
        reason: .tooLarge),
      Failure(
        testDescription: "an http: URL", answer: .fixture("picture.png"), url: "http://a/i",
        reason: .notHTTPS),
      Failure(
        testDescription: "a redirect to http:",
        answer: Failure.answer { $0.redirectsTo = URL(string: "http://a/i") }, reason: .notHTTPS),
      Failure(
        testDescription: "a missing bundled file", url: "file://missing.mp4", reason: .notFound),
      Failure(testDescription: "no network", reason: .offline),
      Failure(
        testDescription: "a broken connection", answer: Failure.answer { $0.breaksAfter = 1000 },
        reason: .network),
      Failure(testDescription: "an empty body", answer: .init(), reason: .unsupportedType),
      Failure(testDescription: "no URL at all", url: "::", reason: .invalidURL),
    ])
  func failures(failure: Failure) async throws {
    let phone = try Phone(failure.answer.map { [failure.url: $0] } ?? [:])
    let report = try await phone.deliver(
      "{\(Self.alert),\"_mediaUrl\":\"\(failure.url)\",\"_mediaAlt\":\"Alternative\"}")
    #expect(report.outcome == .displayed)
    #expect(report.content?.title == "T")
    #expect(report.content?.body == "Alternative")
    #expect(report.attachments.isEmpty)
    #expect(phone.enriched?.media.map(\.reason) == [failure.reason])
    #expect(phone.folder.contents.filter { $0 != "Attachments" } == [], "no half file is left")
  }

  @Test("a stalled download is canceled at the deadline, and the fallback text delivered")
  func deadline() async throws {
    let phone = try Phone(["https://a/i": Failure.answer { $0.stallsAfter = 1000 }])
    let report = try await phone.deliver(
      "{\(Self.alert),\"_mediaUrl\":\"https://a/i\",\"_mediaAlt\":\"Alternative\"}")
    #expect(report.outcome == .displayed)
    #expect(report.content?.body == "Alternative")
    #expect(report.run.elapsed >= .seconds(25) && report.run.elapsed < .seconds(29))
    #expect(!report.run.expired)
  }

  @Test("without an earlier deadline the system's warning delivers the content so far")
  func expiry() async throws {
    let phone = try Phone(
      ["https://a/i": Failure.answer { $0.stallsAfter = 0 }],
      configuration: RichConfiguration(deadline: .seconds(60)))
    let report = try await phone.deliver(
      "{\(Self.alert),\"_mediaUrl\":\"https://a/i\",\"_mediaAlt\":\"Alternative\",\"title\":\"x\"}")
    #expect(report.run.expired)
    #expect(report.run.elapsed >= .seconds(29) && report.run.elapsed < .seconds(30))
    #expect(report.outcome == .displayed)
    #expect(report.content?.body == "Alternative")
    #expect(phone.enriched?.media.map(\.reason) == [.timeout])
  }

  @Test(
    "media of the bundle are attached as a copy, by name or file URL",
    arguments: ["gold.mp4", "file://gold.mp4"])
  func bundled(url: String) async throws {
    let report = try await Phone().deliver("{\(Self.alert),\"_mediaUrl\":\"\(url)\"}")
    #expect(report.attachments.map(\.type) == ["public.mpeg-4"])
    #expect(FileManager.default.fileExists(atPath: Fixtures.url("media/gold.mp4").path()))
  }

  @Test(
    "an extension restricted to categories delivers others unchanged",
    arguments: [
      (#","category":"GOLD""#, 1), (#","category":"OTHER""#, 0), ("", 1),
    ])
  func restriction(category: String, count: Int) async throws {
    let phone = try Phone(["https://a/i": .fixture("picture.png")], categories: ["GOLD"])
    let report = try await phone.deliver(
      #"{"aps":{"alert":"B","mutable-content":1\#(category)},"_st":{"image_url":"https://a/i"}}"#)
    #expect(report.outcome == .displayed)
    #expect(report.attachments.count == count)
  }
}

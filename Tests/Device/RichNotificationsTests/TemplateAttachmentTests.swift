import Foundation
import NotificationTemplates
import PushPayload
import TestSupport
import Testing

@testable import RichNotifications

@Suite("Without an app group a template's media are attached", .timeLimit(.minutes(10)))
struct TemplateAttachmentTests {
  private static func run(
    _ payload: JSONValue, _ configuration: RichConfiguration = RichConfiguration()
  ) -> TemplateRun {
    let run = TemplateRun(payload, configuration) { $0.appGroupFolder = nil }
    for _ in 0..<4 {
      for load in run.loader.loads { load.sink.respond(200, body: Sample.png) }
    }
    return run
  }

  /// The template as the content extension reads it.
  private static func prepared(_ run: TemplateRun) -> PreparedTemplate? {
    run.template.map {
      PreparedTemplate(
        $0, attachments: run.content?.attachments.map(\.identifier) ?? [],
        requested: DialectTable.standard.read(run.payload).media)
    }
  }

  @Test("the first page first, with the identifiers of the media")
  func order() throws {
    let run = Self.run(Sample.carousel(3))
    let content = try #require(run.content)
    #expect(content.attachments.map(\.url) == ["https://a/1", "https://a/2", "https://a/3"])
    #expect(content.attachments.map(\.identifier) == ["1", "2", "3"])
    #expect(content.templateMedia.allSatisfy { $0.isReady } && content.media.isEmpty)
    #expect(Self.prepared(run)?.missing.isEmpty == true)
    #expect(run.group.contents == [])
  }

  @Test("after those that the payload attaches, and each once")
  func shared() throws {
    let run = Self.run(
      Sample.carousel(2, media: [["url": "https://a/x"], ["url": "https://a/2"]]))
    let content = try #require(run.content)
    #expect(run.urls == ["https://a/x", "https://a/2", "https://a/1"])
    #expect(content.attachments.map(\.url) == ["https://a/x", "https://a/2", "https://a/1"])
    #expect(content.attachments.map(\.identifier) == ["", "2", "1"])
    #expect(content.media.count == 2)
    #expect(Self.prepared(run)?.missing.isEmpty == true)
  }

  @Test("an attachment with an identifier of the payload keeps it, and is found by it")
  func named() throws {
    // OneSignal's attachments have identifiers, which the pages of a carousel do not share.
    let run = Self.run([
      "aps": ["alert": "B", "category": "OSNotificationCarousel", "mutable-content": 1],
      "att": ["x": "https://a/1"],
      "custom": ["i": "m", "a": ["images": "https://a/1,https://a/2"]],
    ])
    #expect(run.urls == ["https://a/1", "https://a/2"])
    let attachments = try #require(run.content?.attachments)
    #expect(attachments.map(\.identifier) == ["x", "2"])
    #expect(Self.prepared(run)?.missing.isEmpty == true)
  }

  @Test("a picture that several pages show is attached once")
  func repeated() throws {
    let run = Self.run(
      Sample.carousel([["url": "https://a/1"], ["url": "https://a/1"], ["url": "https://a/2"]]))
    #expect(run.content?.attachments.map(\.identifier) == ["1", "3"])
    #expect(Self.prepared(run)?.missing.isEmpty == true)
  }

  @Test("an alternative is attached if the page fails", arguments: [200, 404])
  func alternative(status: Int) throws {
    let pages: [JSONValue] = [
      ["url": "https://a/1", "alternative_url": "https://a/b"], ["url": "https://a/2"],
    ]
    for media in [[], [["url": "https://a/1"]]] as [[JSONValue]] {
      let run = TemplateRun(Sample.carousel(pages, media: media)) { $0.appGroupFolder = nil }
      run.respond("https://a/1", status)
      for url in ["https://a/b", "https://a/2"] { run.respond(url) }
      let content = try #require(run.content)
      #expect(Set(content.attachments.map(\.identifier)) == ["1", "2"])
      #expect(content.attachments.count == 2)
      #expect(Self.prepared(run)?.missing.isEmpty == true)
    }
  }

  @Test("numbered keys of a vendor are attached once each, as before")
  func numbered() throws {
    let run = Self.run([
      "aps": ["alert": "B", "category": "CTNotification", "mutable-content": 1],
      "pt_id": "pt_carousel", "pt_title": "T", "pt_dl1": "shop://1",
      "pt_img1": "https://a/1", "pt_img2": "https://a/2", "pt_img3": "https://a/3",
    ])
    #expect(run.content?.attachments.map(\.url) == (1...3).map { "https://a/\($0)" })
    #expect(Self.prepared(run)?.missing.isEmpty == true)
  }

  @Test(
    "as many as a notification may have, and the rest are missing",
    arguments: [(5, 0), (6, 1), (10, 5)])
  func count(pages: Int, missing: Int) throws {
    let run = Self.run(Sample.carousel(pages))
    let content = try #require(run.content)
    #expect(content.attachments.count == min(pages, 5))
    #expect(
      content.templateMedia.map(\.reason)
        == Array(repeating: nil, count: pages - missing) + Array(repeating: .budget, count: missing)
    )
    #expect(Self.prepared(run)?.missing.count == missing)
  }

  @Test("a page that fails is not attached, and the text stays")
  func failing() throws {
    let run = TemplateRun(Sample.carousel(3)) { $0.appGroupFolder = nil }
    run.respond("https://a/1")
    run.respond("https://a/2", 404)
    run.respond("https://a/3")
    let content = try #require(run.content)
    #expect(content.attachments.map(\.identifier) == ["1", "3"])
    #expect(content.templateMedia.map(\.reason) == [nil, .httpStatus, nil])
    #expect(content.text.body == "B")
    #expect(Self.prepared(run)?.template.pages.map(\.media.id) == ["1", "3"])
  }

  @Test("so are they where neither the request nor the message has an identifier")
  func noIdentifier() {
    let run = TemplateRun(Sample.carousel(2), identifier: "")
    for url in run.urls { run.respond(url) }
    #expect(run.content?.attachments.count == 2)
    #expect(run.stored == [])
  }
}

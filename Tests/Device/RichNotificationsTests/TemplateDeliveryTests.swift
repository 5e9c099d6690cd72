import Foundation
import MediaLoading
import NotificationTemplates
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import RichNotifications

@Suite("The media of a template are prepared for the content extension", .timeLimit(.minutes(10)))
struct TemplateDeliveryTests {
  @Test("pages are fetched in the order of need, at most three at once, and stored")
  func pages() throws {
    let run = TemplateRun(Sample.carousel(4))
    #expect(run.urls == ["https://a/1", "https://a/2", "https://a/3"])
    run.respond("https://a/2")
    #expect(run.urls.last == "https://a/4")
    #expect(run.prepared?.missing.map(\.reason) == Array(repeating: "not-prepared", count: 4))
    for number in [4, 1, 3] { run.respond("https://a/\(number)") }
    let content = try #require(run.content)
    #expect(content.attachments.isEmpty && content.media.isEmpty, "none was to be attached")
    #expect(content.text.body == "B")
    #expect(content.templateMedia.map(\.id) == ["1", "2", "3", "4"])
    #expect(content.templateMedia.allSatisfy { $0.isReady })
    let prepared = try #require(run.prepared)
    #expect(prepared.template == run.template && prepared.files.count == 4)
    for path in prepared.files.values {
      #expect(try Data(contentsOf: run.group.file(path)) == Data(Sample.png))
    }
    #expect(run.folder.contents == [], "nothing stays in the temporary folder")
    #expect(run.rules.filter { $0 == "template ready" }.count == 4)
  }

  @Test("the size of a picture is in the manifest")
  func pixels() throws {
    let run = TemplateRun(Sample.carousel(2))
    run.respond("https://a/1", body: try Fixtures.bytes("media/photo.jpg"))
    run.respond("https://a/2", body: try Fixtures.bytes("media/cloudy.gif"))
    let sizes = try #require(run.prepared?.pictureSizes)
    #expect(sizes["1"] == TemplateSize(width: 960, height: 640))
    #expect(sizes["2"] == TemplateSize(width: 240, height: 240))
  }

  @Test("a page that is also attached is fetched once, and is in both places")
  func shared() throws {
    let run = TemplateRun(Sample.carousel(2, media: [["url": "https://a/2"]]))
    #expect(run.urls == ["https://a/2", "https://a/1"])
    for url in run.urls { run.respond(url) }
    let content = try #require(run.content)
    #expect(content.attachments.map(\.url) == ["https://a/2"])
    let attached = try #require(content.attachments.first?.file)
    #expect(try Data(contentsOf: attached) == Data(Sample.png))
    #expect(run.folder.contents == [attached.lastPathComponent])
    // The system moves the file of the attachment.
    try FileManager.default.removeItem(at: attached)
    #expect(run.prepared?.missing.isEmpty == true)
    let stored = try #require(run.prepared?.files["2"])
    #expect(try Data(contentsOf: run.group.file(stored)) == Data(Sample.png))
  }

  @Test("a picture that several pages show is fetched and stored once")
  func repeated() throws {
    let run = TemplateRun(
      Sample.carousel([["url": "https://a/1"], ["url": "https://a/1"], ["url": "https://a/2"]]))
    #expect(run.urls == ["https://a/1", "https://a/2"])
    for url in run.urls { run.respond(url) }
    let files = try #require(run.prepared?.files)
    #expect(files.count == 3 && Set(files.values).count == 2)
    #expect(run.prepared?.missing.isEmpty == true)
  }

  @Test("an alternative URL is tried, and a page that has none is missing with its reason")
  func failures() throws {
    let run = TemplateRun(
      Sample.carousel([
        ["url": "https://a/1", "alternative_url": "https://a/b"], ["url": "https://a/2"],
        ["url": "https://a/3"],
      ]))
    run.respond("https://a/1", 404)
    run.respond("https://a/2", 404)
    run.respond("https://a/b")
    run.respond("https://a/3", body: Array("<html>".utf8) + [UInt8](repeating: 32, count: 600))
    let content = try #require(run.content)
    #expect(content.templateMedia.map(\.reason) == [nil, .httpStatus, .unsupportedType])
    #expect(content.text.body == "B", "the fallback text is that of attached media")
    let prepared = try #require(run.prepared)
    #expect(
      prepared.missing
        == [.init(id: "2", reason: "http-status"), .init(id: "3", reason: "unsupported-type")])
    #expect(prepared.template.kind == .banner)
    #expect(run.rules.filter { $0 == "template missing" }.count == 2)
  }

  @Test(
    "a page's alternative is tried if the attachment, which has none, fails; a page is fetched once"
  )
  func otherAlternative() throws {
    let pages: [JSONValue] = [
      ["url": "https://a/1", "alternative_url": "https://a/b"], ["url": "https://a/2"],
    ]
    let payload = Sample.carousel(pages, media: [["url": "https://a/1"]])
    let failing = TemplateRun(payload)
    #expect(failing.urls == ["https://a/1", "https://a/2"])
    failing.respond("https://a/1", 404)
    #expect(failing.urls.last == "https://a/b")
    for url in ["https://a/2", "https://a/b"] { failing.respond(url) }
    let content = try #require(failing.content)
    #expect(content.attachments.isEmpty && content.media.map(\.reason) == [.httpStatus])
    #expect(failing.prepared?.missing.isEmpty == true)

    let working = TemplateRun(payload)
    for url in working.urls { working.respond(url) }
    #expect(working.urls == ["https://a/1", "https://a/2"])
    #expect(working.content?.attachments.count == 1)
    #expect(working.prepared?.missing.isEmpty == true)
  }

  @Test("an alternative that is attached, too, is fetched once")
  func sharedAlternative() throws {
    let run = TemplateRun(
      Sample.carousel(
        [["url": "https://a/1", "alternative_url": "https://a/b"], ["url": "https://a/2"]],
        media: [["url": "https://a/1"], ["url": "https://a/b"]]))
    #expect(run.urls == ["https://a/1", "https://a/b", "https://a/2"])
    run.respond("https://a/1", 404)
    run.respond("https://a/b")
    run.respond("https://a/2")
    #expect(run.content?.attachments.map(\.url) == ["https://a/b"])
    #expect(run.prepared?.missing.isEmpty == true)
  }

  @Test("a transient failure is tried again within the deadline")
  func retry() {
    let run = TemplateRun(Sample.carousel(2))
    run.respond("https://a/1", 503)
    run.respond("https://a/2")
    #expect(run.content == nil)
    run.clock.advance(to: .milliseconds(500))
    run.respond("https://a/1")
    #expect(run.prepared?.missing.isEmpty == true)
  }

  @Test(
    "at the deadline and at the system's warning the pages so far are ready, and no others",
    arguments: [false, true])
  func late(isWarning: Bool) throws {
    let run = TemplateRun(Sample.carousel(4))
    run.respond("https://a/1")
    run.respond("https://a/3")
    if isWarning { run.expire() } else { run.clock.advance(to: .seconds(25)) }
    let content = try #require(run.content)
    #expect(content.templateMedia.map(\.reason) == [nil, .timeout, nil, .timeout])
    let prepared = try #require(run.prepared)
    #expect(prepared.template.pages.map(\.media.id) == ["1", "3"])
    #expect(prepared.missing.map(\.reason) == ["timeout", "timeout"])
    // A response after the delivery changes nothing and leaves no file.
    let before = run.stored
    run.respond("https://a/2")
    #expect(run.stored == before && before.count == 4)
    #expect(run.folder.contents == [])
  }

  @Test("a page whose file is stored while the deadline passes is missing, and its file is deleted")
  func lateStoring() throws {
    let clock = Mutex<ManualClock?>(nil)
    let reducer = Reducer(bytes: 9) { clock.withLock { $0 }?.advance(to: .seconds(25)) }
    let run = TemplateRun(Sample.carousel(2)) { $0.imageReducer = reducer }
    clock.withLock { $0 = run.clock }
    run.respond("https://a/1", body: Self.png(width: 4000, height: 3000))
    #expect(run.content?.templateMedia.map(\.reason) == [.timeout, .timeout])
    #expect(reducer.calls.withLock(\.count) == 1)
    #expect(run.stored.filter { $0.hasSuffix(".jpeg") || $0.hasSuffix(".png") } == [])
    #expect(run.folder.contents == [])
  }

  @Test("a warning before the start leaves a manifest of missing media")
  func early() throws {
    let run = TemplateRun(Sample.carousel(2), begins: false)
    run.expire()
    run.begin()
    #expect(run.content?.templateMedia.map(\.reason) == [.timeout, .timeout])
    #expect(run.prepared?.missing.map(\.reason) == ["timeout", "timeout"])
    #expect(run.urls == [])
  }

  /// The first bytes of a PNG of this size.
  static func png(width: Int, height: Int) -> [UInt8] {
    func bytes(_ number: Int) -> [UInt8] {
      (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    return Array(Sample.png[..<8]) + [0, 0, 0, 13] + Array("IHDR".utf8) + bytes(width)
      + bytes(height) + [8, 2, 0, 0, 0] + [UInt8](repeating: 0, count: 600)
  }

  @Test(
    "a picture with more pixels than a phone displays is scaled down",
    arguments: [(1320, 1320, false), (1320, 1321, true), (8000, 217, false), (4000, 3000, true)])
  func reduced(width: Int, height: Int, isReduced: Bool) throws {
    let reducer = Reducer(bytes: 9)
    let run = TemplateRun(Sample.carousel(2)) { $0.imageReducer = reducer }
    run.respond("https://a/1", body: Self.png(width: width, height: height))
    run.respond("https://a/2")
    #expect(reducer.calls.withLock(\.count) == (isReduced ? 1 : 0))
    let path = try #require(run.prepared?.files["1"])
    #expect(path.hasSuffix(isReduced ? ".jpeg" : ".png"))
    #expect(run.folder.contents == [])
  }

  @Test("the attached file of a page that is scaled down stays as it is")
  func reducedBeside() throws {
    let run = TemplateRun(Sample.carousel(2, media: [["url": "https://a/1"]])) {
      $0.imageReducer = Reducer(bytes: 9)
    }
    let large = Self.png(width: 4000, height: 3000)
    run.respond("https://a/1", body: large)
    run.respond("https://a/2")
    let attached = try #require(run.content?.attachments.first)
    #expect(attached.type == .png && attached.bytes == Int64(large.count))
    #expect(try Data(contentsOf: attached.file) == Data(large))
    #expect(run.prepared?.files["1"]?.hasSuffix(".jpeg") == true)
  }

  @Test("a picture that cannot be scaled down is stored as it is, and an animation always is")
  func unreduced() throws {
    let run = TemplateRun(Sample.carousel(2)) { $0.imageReducer = Reducer(bytes: nil) }
    run.respond("https://a/1", body: Self.png(width: 4000, height: 3000))
    let gif = Array("GIF89a".utf8) + [0xA0, 0x0F, 0xB8, 0x0B] + [UInt8](repeating: 0, count: 600)
    run.respond("https://a/2", body: gif)
    #expect(run.prepared?.files["1"]?.hasSuffix(".png") == true)
    #expect(run.prepared?.files["2"]?.hasSuffix(".gif") == true)
    #expect(run.prepared?.pictureSizes["2"] == TemplateSize(width: 4000, height: 3000))
  }

  @Test("a movie in place of a picture is missing, and nothing of it stays")
  func otherKind() throws {
    let run = TemplateRun(Sample.carousel(3))
    run.respond("https://a/1", body: try Fixtures.bytes("media/gold.mp4"))
    run.respond("https://a/2")
    run.respond("https://a/3")
    #expect(run.content?.templateMedia.map(\.reason) == [.otherKind, nil, nil])
    #expect(run.prepared?.missing == [.init(id: "1", reason: "other-kind")])
    #expect(run.prepared?.template.pages.count == 2)
    #expect(!run.stored.contains { $0.hasSuffix(".mp4") })
  }

  @Test("a movie and its poster are stored")
  func movie() throws {
    let payload: JSONValue = [
      "aps": ["alert": "B", "category": "x", "mutable-content": 1],
      "_martlet": [
        "template": [
          "kind": "media", "media": ["id": "m", "url": "https://a/m.mp4"],
          "poster": ["id": "p", "url": "https://a/p"],
        ]
      ],
    ]
    let run = TemplateRun(payload)
    run.respond("https://a/m.mp4", body: try Fixtures.bytes("media/gold.mp4"))
    run.respond("https://a/p")
    let prepared = try #require(run.prepared)
    #expect(prepared.missing.isEmpty && prepared.template.kind == .media)
    #expect(prepared.files["m"]?.hasSuffix(".mp4") == true && prepared.pictureSizes["m"] == nil)
  }

  @Test("media of the template count toward the bytes of a notification")
  func budget() {
    var configuration = RichConfiguration()
    configuration.media.maximumBytes = Int64(2 * Sample.png.count)
    let run = TemplateRun(Sample.carousel(3), configuration)
    for number in 1...3 { run.respond("https://a/\(number)") }
    #expect(run.content?.templateMedia.map(\.reason) == [nil, nil, .budget])
  }

  @Test("hosts that the policy does not allow are not asked")
  func policy() {
    var configuration = RichConfiguration()
    configuration.media.allowedHosts = ["b"]
    let run = TemplateRun(Sample.carousel(2), configuration)
    #expect(run.urls == [])
    #expect(run.prepared?.missing.map(\.reason) == Array(repeating: "host-not-allowed", count: 2))
  }

  @Test("a notification without a category is delivered at once: nothing would show the template")
  func noCategory() {
    let pages: [JSONValue] = [["url": "https://a/1"], ["url": "https://a/2"]]
    let run = TemplateRun(Sample.carousel(pages, category: nil))
    #expect(run.urls == [] && run.content?.templateMedia == [])
    #expect(run.stored == [])
  }

  @Test("the template of a vendor whose dialect the app has disabled is not prepared")
  func disabled() {
    let payload: JSONValue = [
      "aps": ["alert": "B", "category": "CTNotification", "mutable-content": 1],
      "pt_id": "pt_basic", "pt_title": "T", "pt_big_img": "https://a/1",
    ]
    #expect(TemplateRun(payload).content == nil)
    var configuration = RichConfiguration()
    configuration.dialects = configuration.dialects.without([.cleverTap])
    #expect(TemplateRun(payload, configuration).content?.templateMedia == [])
  }

  @Test("a folder that cannot be written costs the template's media, and no attachment")
  func storage() throws {
    let group = TemporaryFolder()
    _ = try group.write("a file in place of the folder", to: "Library")
    let run = TemplateRun(Sample.carousel(2, media: [["url": "https://a/1"]]), group: group)
    for url in run.urls { run.respond(url) }
    let content = try #require(run.content)
    #expect(content.attachments.count == 1)
    #expect(content.templateMedia.map(\.reason) == [.storage, .storage])
    #expect(run.rules.contains("template storage"))
    #expect(run.prepared?.missing.map(\.reason) == ["not-prepared", "not-prepared"])
  }

  @Test("a notification that replaces another one replaces its set")
  func replaced() throws {
    let group = TemporaryFolder()
    let first = TemplateRun(Sample.carousel(2), group: group)
    for url in first.urls { first.respond(url) }
    #expect(first.stored.count == 4)
    let second = TemplateRun(Sample.carousel(3), group: group)
    for url in second.urls { second.respond(url) }
    #expect(second.stored.count == 5, "a manifest, a folder and three files")
    #expect(second.prepared?.missing.isEmpty == true)
    #expect(first.prepared?.missing.map(\.reason) == ["other-template", "other-template"])
  }

  @Test("two extensions at once with one identifier leave the set of the later one")
  func twoExtensions() throws {
    let group = TemporaryFolder()
    let (first, second) = (
      TemplateRun(Sample.carousel(2), group: group), TemplateRun(Sample.carousel(3), group: group)
    )
    first.respond("https://a/1")
    second.respond("https://a/1")
    first.respond("https://a/2")
    #expect(first.prepared?.missing.isEmpty == true)
    second.respond("https://a/2")
    second.respond("https://a/3")
    #expect(second.prepared?.missing.isEmpty == true)
    #expect(group.contents == ["Library"] && second.stored.count == 5)
  }

  @Test("two notifications have sets of their own")
  func twoNotifications() throws {
    let group = TemporaryFolder()
    let runs = ["a", "b"].map { TemplateRun(Sample.carousel(2), identifier: $0, group: group) }
    for run in runs { for url in run.urls { run.respond(url) } }
    #expect(runs.allSatisfy { $0.prepared?.missing.isEmpty == true })
    #expect(runs[0].stored.count == 8)
  }
}

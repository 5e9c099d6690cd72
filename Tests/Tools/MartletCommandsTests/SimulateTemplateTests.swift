import Foundation
import PushPayload
import TestSupport
import Testing

@testable import MartletCommands

@Suite("The template in martlet simulate --json", .timeLimit(.minutes(10)))
struct SimulateTemplateTests {
  private static let picture = Fixtures.url("media/picture.png").path()

  private static func carousel(_ more: String = "") -> String {
    #"{"aps":{"alert":{"title":"T","body":"B"},"category":"CTNotification","mutable-content":1},"#
      + #""pt_id":"pt_carousel","pt_dl1":"shop://1","pt_img1":"https://a/1","pt_img2":"https://a/2","#
      + #""pt_img3":"https://a/3"\#(more)}"#
  }

  private func template(_ payload: String, _ arguments: String...) async throws -> JSONValue {
    let console = RecordingConsole(input: payload)
    _ = await runMartlet(["simulate", "--json"] + arguments + ["-"], console.console)
    let object = try JSONValue(parsing: try #require(console.output.first))
    return try #require(object["template"])
  }

  /// A page of the carousel as the report has it.
  private static func page(_ number: Int, reason: String? = nil) -> JSONValue {
    [
      "media": .string("https://a/\(number)"), "title": .null, "link": "shop://1",
      "state": reason == nil ? "ready" : "missing",
      "reason": reason.map(JSONValue.string) ?? .null,
    ]
  }

  @Test("it is null where a payload has no template, and where nothing is shown")
  func none() async throws {
    #expect(try await template(SimulateCommandTests.push).isNull)
    let silent = #"{"aps":{"content-available":1},"pt_id":"pt_basic","pt_title":"T"}"#
    #expect(try await template(silent, "--push-type", "background").isNull)
  }

  @Test("it has what can be shown with the pictures that are prepared")
  func pages() async throws {
    let template = try await template(
      Self.carousel(#","pt_title_clr":"red""#), "--media", "https://a/1=\(Self.picture)",
      "--media", "https://a/3=\(Self.picture)")
    #expect(template["kind"] == "carousel" && template["source"] == "clevertap")
    #expect(
      template["pages"] == [
        Self.page(1), Self.page(2, reason: "offline"), Self.page(3),
      ])
    let findings = template["findings"]?.array ?? []
    #expect(findings.count == 1)
    #expect(findings.first?["code"] == "wrong-type")
    #expect(findings.first?["path"] == "$.pt_title_clr")
    #expect(template["document"]?["pages"]?.array?.count == 3)
    // The shape of CleverTap's pages is fixed, so that the view does not jump.
    #expect(template["height"]?["initial"]?.integer ?? 0 > 210)
    #expect(template["height"]?["initial"] == template["height"]?["final"])
  }

  @Test(
    "with fewer pictures than a carousel needs it is simpler",
    arguments: [(["https://a/2"], "banner"), ([], "text")] as [([String], String)])
  func degraded(ready: [String], kind: String) async throws {
    let console = RecordingConsole(input: Self.carousel())
    let media = ready.flatMap { ["--media", "\($0)=\(Self.picture)"] }
    _ = await runMartlet(["simulate", "--json"] + media + ["-"], console.console)
    let object = try JSONValue(parsing: try #require(console.output.first))
    #expect(object["template"]?["kind"]?.string == kind)
    #expect(object["template"]?["document"]?["kind"] == "carousel")
  }

  @Test("the final height is that of the picture's own shape")
  func height() async throws {
    let payload =
      #"{"aps":{"alert":{"title":"T","body":"B"},"category":"x","mutable-content":1},"#
      + #""_martlet":{"media":[{"url":"https://a/1"}],"#
      + #""template":{"kind":"banner","media":{"url":"https://a/1"}}}}"#
    let whole = try await template(payload, "--media", "https://a/1=\(Self.picture)")["height"]
    let missing = try await template(payload)["height"]
    #expect(whole?["initial"] == missing?["initial"])
    let (initial, final) = (whole?["initial"]?.integer ?? 0, whole?["final"]?.integer ?? 0)
    // The picture has 960 × 640 pixels; a picture that is not known counts as 16:9.
    #expect(final - initial == 249 - 210)
    #expect(missing?["final"]?.integer == initial - 210)
  }

  private static let own =
    #"{"aps":{"alert":"B","category":"x","mutable-content":1},"_martlet":{"template":{"kind":"carousel","#
    + #""pages":[{"media":{"url":"https://a/1"}},{"media":{"url":"https://a/2"}}]}}}"#

  @Test("pages that are not attached are prepared, and a missing one is less than was asked for")
  func own() async throws {
    for ready in [1, 2] {
      let console = RecordingConsole(input: Self.own)
      let media = (1...ready).flatMap { ["--media", "https://a/\($0)=\(Self.picture)"] }
      let code = await runMartlet(
        ["simulate", "--json"] + media + ["-"], console.console)
      let report = try JSONValue(parsing: try #require(console.output.first))
      #expect(report["attachments"] == [])
      let pages = report["template"]?["pages"]?.array ?? []
      #expect(pages.map { $0["reason"]?.string } == (ready == 1 ? [nil, "offline"] : [nil, nil]))
      #expect(report["template"]?["kind"]?.string == (ready == 1 ? "banner" : "carousel"))
      #expect(
        code == (ready == 1 ? .failure : .success), "a missing page is less than was asked for")
      let rules = (report["trace"]?.array ?? []).filter { $0["stage"] == "template" }
      #expect(
        rules.map { $0["rule"]?.string }
          == ["read"] + [String](repeating: "ready", count: ready)
          + [String](repeating: "missing", count: 2 - ready))
    }
  }

  @Test("an extension in a process of its own prepares them, too")
  func ownProcess() async throws {
    let folder = TemporaryFolder()
    let payload = try folder.write(Self.own, to: "push.json")
    let martlet = BuiltProgram.martlet
    let media = (1...2).flatMap { ["--media", "https://a/\($0)=\(Self.picture)"] }
    let (_, output) = await runProgram(
      martlet, ["simulate", "--json", "--memory-limit", "24MiB"] + media + [payload])
    let report = try JSONValue(parsing: output)
    let pages = report["template"]?["pages"]?.array ?? []
    #expect(pages.map { $0["state"]?.string } == ["ready", "ready"])
  }

  @Test("what an extension that does not run would have prepared is missing")
  func notRun() async throws {
    let payload = Self.own.replacing(#","mutable-content":1"#, with: "")
    let template = try await template(payload, "--media", "https://a/1=\(Self.picture)")
    let pages = template["pages"]?.array ?? []
    #expect(pages.map { $0["reason"]?.string } == ["not-prepared", "not-prepared"])
  }

  @Test("the files are in the folder of --app-group")
  func appGroup() async throws {
    let group = TemporaryFolder()
    _ = try await template(
      Self.own, "--app-group", group.url.path, "--media", "https://a/1=\(Self.picture)")
    let files = FileManager.default.enumerator(atPath: group.url.path)?
      .compactMap { ($0 as? String)?.split(separator: ".").last }
    #expect(files?.sorted().suffix(2) == ["json", "png"])
  }

  @Test("a version that is not known leaves its finding alone")
  func version() async throws {
    let payload =
      #"{"aps":{"alert":"B","category":"x","mutable-content":1},"_martlet":{"template":{"version":2}}}"#
    let template = try await template(payload)
    #expect(template["kind"]?.isNull == true && template["pages"] == [])
    #expect(template["findings"]?.array?.first?["path"] == "$._martlet.template.version")
  }

  @Test("with --stable a countdown from the delivery begins in 1970")
  func stable() async throws {
    let payload =
      #"{"aps":{"alert":"B","category":"CTNotification"},"pt_id":"pt_timer","pt_timer_threshold":90}"#
    #expect(try await template(payload, "--stable")["document"]?["end"] == 90)
    let end = try await template(payload)["document"]?["end"]?.number ?? 0
    #expect(end > 1_795_000_000)
  }

  @Test("--render draws the pages that are ready side by side, in every style")
  func render() async throws {
    let folder = TemporaryFolder()
    func size(_ ready: [Int], _ arguments: String...) async throws -> (width: Int, height: Int) {
      let file = folder.path("\(UUID().uuidString).png")
      let console = RecordingConsole(input: Self.carousel())
      let media = ready.flatMap { ["--media", "https://a/\($0)=\(Self.picture)"] }
      _ = await runMartlet(
        ["simulate", "--render", file] + media + arguments + ["-"], console.console)
      // The width and the height in the header of a PNG.
      let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: file)).prefix(24))
      func number(_ start: Int) -> Int { bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
      return (number(16), number(20))
    }
    let usual = try await size([1, 2, 3])
    #expect(usual.width == 2 * (393 + 2 * 385))
    #expect(try await size([1, 3]).width == 2 * (393 + 385))
    #expect(try await size([2]).width == 2 * 393)
    #expect(try await size([]).width == 2 * 393)
    #expect(
      try await size([1, 2, 3], "--appearance", "dark", "--right-to-left") == usual)
    let large = try await size([1, 2, 3], "--text-size", "accessibility-5")
    #expect(large.width == usual.width && large.height > usual.height + 200)
  }
}

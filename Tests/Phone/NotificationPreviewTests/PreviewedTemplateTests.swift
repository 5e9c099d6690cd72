import NotificationCards
import Foundation
import NotificationHost
import NotificationPreview
import NotificationTemplates
import PhoneCards
import PushPayload
import TestSupport
import Testing
import _Card

@testable import MartletCommands

@Suite("The template of a previewed notification", .timeLimit(.minutes(10)))
struct PreviewedTemplateTests {
  private static let urls = ["a", "b", "c"].map { "https://cdn.example.com/\($0).jpg" }

  /// A carousel, of which the service extension prepares the pictures.
  private func carousel(category: String = "shop") -> JSONValue {
    let pages = Self.urls.map {
      ["media": ["url": .string($0)], "title": .string($0)] as JSONValue
    }
    return [
      "aps": [
        "alert": ["title": "Title", "body": "Body"], "category": .string(category),
        "mutable-content": 1,
      ],
      "_martlet": ["template": ["kind": "carousel", "pages": .array(pages)]],
    ]
  }

  private func comparison(_ payload: JSONValue, missing: [String] = []) -> CardComparison {
    CardComparison(payload: payload, behavior: .available, missing: missing)
  }

  @Test(
    "pages whose pictures failed are left out, and below two pages it is a banner, then a text",
    arguments: [
      ([], TemplateKind.carousel, ["a", "b", "c"]), ([1], .carousel, ["a", "c"]),
      ([0, 2], .banner, ["b"]), ([0, 1, 2], .text, []),
    ] as [([Int], TemplateKind, [String])])
  func missing(missing: [Int], kind: TemplateKind, shown: [String]) async throws {
    let comparison = comparison(carousel(), missing: missing.map { Self.urls[$0] })
    let card = try #require(comparison.card(await comparison.simulated()))
    let expanded = try #require(card.template)
    #expect(expanded.template.kind == kind)
    let names = expanded.template.media.map { media in
      String(media.url.dropFirst("https://cdn.example.com/".count).prefix(1))
    }
    #expect(names == shown)
    let files = expanded.template.media.compactMap { expanded.files[$0.id] }
    #expect(files.count == shown.count)
    #expect(files.allSatisfy { FileManager.default.fileExists(atPath: $0) })
    #expect(expanded.template.texts.title?.string == "Title")
    #expect(try await comparison.previewed()?.description == card.description)
  }

  @Test("without a category iOS starts no content extension, and the system's own view is drawn")
  func category() async throws {
    let comparison = comparison(carousel(category: ""))
    #expect(try #require(comparison.card(await comparison.simulated())).template == nil)
    #expect(try #require(try await comparison.previewed()).template == nil)
  }

  @Test("a countdown begins when the notification is delivered")
  func delivered() async throws {
    let comparison = comparison([
      "aps": ["alert": "Text", "category": "shop", "mutable-content": 1],
      "_martlet": ["template": ["kind": "timer", "duration": 90]],
    ])
    let delivery = await comparison.simulated()
    let card = try #require(NotificationCard(delivery, appName: "App", delivered: 1000))
    guard case .timer(let timer)? = card.template?.template.content else {
      Issue.record("not a timer")
      return
    }
    #expect(timer.end == 1090 && card.template?.now == 1000)
  }

  @Test("the height that --json names is that of the drawn view")
  func height() async throws {
    let comparison = comparison(carousel())
    let delivery = await comparison.simulated()
    var report = SimulationReport(name: "", delivery: delivery)
    report.delivered = 1000
    #expect(report.template["height"] == .null)
    await report.measureTemplate(by: .ofCommand())
    let card = try #require(NotificationCard(delivery, appName: "App", delivered: 1000))
    let height = try #require(card.template).layout().size.height
    #expect(report.template["height"]?["final"]?.number == height)
    #expect(report.template["height"]?["initial"]?.number ?? 0 < height)
  }
}

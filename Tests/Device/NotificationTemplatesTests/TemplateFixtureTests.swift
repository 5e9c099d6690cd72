import Foundation
import NotificationTemplates
import PushPayload
import TestSupport
import Testing

@Suite("Templates of expanded notifications, vendor by vendor")
struct TemplateFixtureTests {
  @Test(
    "a payload gives the document that the vendor's source decides", arguments: TemplateFile.all)
  func cases(file: TemplateFile) {
    for test in file.cases {
      let (document, findings) = read(test.payload)
      #expect(document == test.document, "\(file.name): \(test.name)")
      #expect(findings == test.findings, "\(file.name): \(test.name)")
    }
  }

  @Test("every template of every vendor has cases, with a source", arguments: TemplateFile.all)
  func sources(file: TemplateFile) {
    #expect(!file.cases.isEmpty, "\(file.name) has no cases, or is no JSON")
    #expect(file.json["source"]?["repository"]?.string?.isEmpty == false)
    #expect(file.json["source"]?["files"]?.array?.isEmpty == false)
    for test in file.cases { #expect(test.reason != "", "\(test.name)") }
  }

  @Test("all adapters and all kinds have fixtures")
  func coverage() {
    let documents = TemplateFile.all.flatMap(\.cases).map(\.document)
    let kinds = Set(documents.compactMap { $0["kind"]?.string })
    #expect(kinds == Set(TemplateKind.allCases.map(\.rawValue)))
    let sources = Set(
      TemplateFile.all.flatMap(\.cases).compactMap { test in
        TemplateTable.standard.read(test.payload, delivered: 0).template?.source.rawValue
      })
    #expect(sources == Set(TemplateTable.standard.adapters.map(\.id.rawValue)))
    #expect(TemplateFile.all.count { $0.vendor == "clevertap" } == 12)
  }

  @Test("a document that is sent as Martlet's own is read as the same", arguments: TemplateFile.all)
  func roundTrip(file: TemplateFile) {
    for test in file.cases where !test.document.isNull {
      let (document, findings) = readOwn(test.document)
      #expect(document == test.document, "\(file.name): \(test.name)")
      #expect(findings.isEmpty, "\(file.name): \(test.name)")
    }
  }

  @Test("docs/app/templates.md has every template, every difference, and an example that is right")
  func documentation() throws {
    let file = Repository.url("docs/app/templates.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    for file in TemplateFile.all where file.vendor != "martlet" {
      let name = file.json["template"]?.string ?? ""
      let kind = file.json["kind"]?.string ?? ""
      let differing = file.cases.count { $0.reason != nil }
      let row = "| `\(name)` | `\(kind)` | \(file.cases.count) | \(differing) |"
      #expect(page.contains(row), "run scripts/template-table: \(row)")
      for reason in file.cases.compactMap(\.reason) {
        #expect(page.contains(reason), "run scripts/template-table: \(reason)")
      }
    }
    for kind in TemplateKind.allCases { #expect(page.contains("| `\(kind.rawValue)` |")) }
    let example = try #require(page.split(separator: "```json\n").dropFirst().first)
    let text = try #require(example.split(separator: "```").first)
    let (document, findings) = read(try JSONValue(parsing: String(text)))
    #expect(document["kind"] == "carousel" && findings.isEmpty)
  }

  @Test(
    "each page that counts vendors with templates, or kinds, has their number",
    arguments: [
      ("docs/app/README.md", "\(vendors) vendors"),
      ("docs/server/dashboard.md", "the \(kinds) kinds"),
      (
        "Sources/Device/RichNotificationContent/RichNotificationContent.docc/RichNotificationContent.md",
        "\(vendors) vendors"
      ),
    ])
  func counts(page: String, words: String) throws {
    let file = Repository.url(page)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.replacing("\n", with: " ").contains(" " + words))
  }

  private static let vendors = TemplateTable.standard.adapters.count { $0.id != .martlet }
  private static let kinds = TemplateKind.allCases.count

  /// The keys that decide which template a payload has.
  private static let deciding = [
    "pt_id", "adb_template_type", "source", "ct_mediaType", "es_interaction_id",
    "es_notification_image", "es_notification_images", "u",
  ]

  @Test("one value of a wrong type costs at most its own field", arguments: TemplateFile.all)
  func wrongTypes(file: TemplateFile) {
    for test in file.cases where test.document["kind"] != nil {
      guard let members = test.payload.object else { continue }
      for (key, value) in members where value.string != nil && !Self.deciding.contains(key) {
        for wrong: JSONValue in [["a": 1], [["b"]], true] {
          var changed = members
          changed[key] = wrong
          let reading = TemplateTable.standard.read(
            .object(changed), delivered: TemplateFile.delivered)
          #expect(reading.template != nil, "\(file.name): \(key)")
          #expect(reading.template?.fallback.body != nil, "\(file.name): \(key)")
        }
      }
    }
  }
}

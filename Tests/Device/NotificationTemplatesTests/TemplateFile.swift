import Foundation
import NotificationTemplates
import PushPayload
import TestSupport
import Testing

/// The cases of one template of a vendor, from `Tests/Fixtures/templates`.
struct TemplateFile: CustomTestStringConvertible, Sendable {
  struct Case: Sendable {
    var name: String
    var payload: JSONValue
    /// What the vendor's extension shows, unless ``reason`` says why Martlet shows something else.
    var document: JSONValue
    /// The code and the path of each finding.
    var findings: [String]
    var reason: String?
  }

  /// The vendor's folder and the file: `clevertap/pt_timer`.
  var name: String
  var json: JSONValue
  var cases: [Case]

  var testDescription: String { name }
  var vendor: String { String(name.prefix { $0 != "/" }) }
  /// The time of delivery in all cases.
  static let delivered = 1_795_950_000.0

  static let all: [TemplateFile] = {
    let folder = Fixtures.url("templates")
    let files = FileManager.default.enumerator(atPath: folder.path()) ?? .init()
    return files.compactMap { $0 as? String }.filter { $0.hasSuffix(".json") }.sorted()
      .map { file in
        let json = try? JSONValue(parsing: Data(contentsOf: folder.appending(path: file)))
        return TemplateFile(name: String(file.dropLast(5)), json: json ?? .null)
      }
  }()

  private init(name: String, json: JSONValue) {
    self.name = name
    self.json = json
    cases = (json["cases"]?.array ?? []).map { item in
      Case(
        name: item["name"]?.string ?? "", payload: item["payload"] ?? .null,
        document: item["document"] ?? "absent",
        findings: (item["findings"]?.array ?? []).compactMap(\.string),
        reason: item["differs"]?.string)
    }
  }
}

/// Reads a payload, and gives the document as JSON and the code and path of each finding.
func read(_ payload: JSONValue) -> (document: JSONValue, findings: [String]) {
  let reading = TemplateTable.standard.read(payload, delivered: TemplateFile.delivered)
  return (
    reading.template?.json ?? .null, reading.findings.map { "\($0.code.rawValue) \($0.path)" }
  )
}

/// Reads Martlet's own form.
func readOwn(_ template: JSONValue) -> (document: JSONValue, findings: [String]) {
  read(["aps": ["category": "expanded"], "_martlet": ["template": template]])
}

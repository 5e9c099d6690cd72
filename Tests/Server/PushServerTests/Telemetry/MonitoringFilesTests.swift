import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

/// The files in `Packaging/` for Prometheus and Grafana.
@Suite("Alerts, recording rules and the dashboard of Grafana", .timeLimit(.minutes(5)))
struct MonitoringFilesTests {
  static let packaging = Repository.url("Packaging")
  static let prometheus = packaging.appending(path: "prometheus").path

  @Test(
    "promtool accepts the rules and the configuration, and the rules pass their tests",
    arguments: [
      "check config prometheus.yml", "check rules recording.rules.yml alerts.rules.yml",
      "test rules rules.test.yml",
    ])
  func promtool(command: String) async throws {
    let promtool = try #require(InstalledProgram.promtool, "promtool is not installed")
    let script = "cd \(Self.prometheus) && exec \(promtool) \(command) 2>&1"
    let check = await runProgram("/bin/sh", ["-c", script])
    #expect(check.status == 0, "\(check.output)")
  }

  /// The names of metrics in a text: words with the prefixes that we and Prometheus's clients use.
  private static func names(in text: String) -> Set<String> {
    let isPart: (Character) -> Bool = { $0.isLetter || $0.isNumber || $0 == "_" || $0 == ":" }
    return Set(
      text.split { !isPart($0) }.map(String.init)
        .filter { $0.hasPrefix("martlet_") || $0.hasPrefix("process_") || $0.contains(":martlet_") }
    )
  }

  /// The names of the samples that a server has, and those that the rules record.
  private static func known() async throws -> Set<String> {
    let fixture = try await Fixture()
    let page = await fixture.request("GET", "/metrics", role: .metrics).text
    var names: Set<String> = []
    for line in page.split(separator: "\n") where line.hasPrefix("# TYPE ") {
      let words = line.split(separator: " ").map(String.init)
      let suffixes = words[3] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
      names.formUnion(suffixes.map { words[2] + $0 })
    }
    let rules = try String(contentsOfFile: prometheus + "/recording.rules.yml", encoding: .utf8)
    for line in rules.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      if words.starts(with: ["-", "record:"]), let name = words.last { names.insert(name) }
    }
    return names
  }

  @Test(
    "every metric that a rule or a panel names exists",
    arguments: [
      "prometheus/recording.rules.yml", "prometheus/alerts.rules.yml",
      "prometheus/rules.test.yml", "grafana/martlet.json",
    ])
  func metrics(file: String) async throws {
    let text = try String(contentsOf: Self.packaging.appending(path: file), encoding: .utf8)
    let used = Self.names(in: text)
    #expect(used.count > 5)
    #expect(used.subtracting(try await Self.known()) == [])
  }

  @Test("each alert is critical or a warning, and says what is wrong and what to do")
  func alerts() throws {
    let text = try String(
      contentsOfFile: Self.prometheus + "/alerts.rules.yml", encoding: .utf8)
    let alerts = text.components(separatedBy: "- alert: ").dropFirst()
    #expect(alerts.count > 15)
    for alert in alerts {
      #expect(alert.contains("{severity: critical}") || alert.contains("{severity: warning}"))
      #expect(alert.contains("summary: \"") && alert.contains("description: \""))
    }
  }

  @Test("the panels of the dashboard have a title, a description and a query, and do not overlap")
  func panels() throws {
    let file = Self.packaging.appending(path: "grafana/martlet.json")
    let panels = try #require(try JSONValue(parsing: Data(contentsOf: file))["panels"]?.array)
    var cells: Set<[Int64]> = []
    for panel in panels {
      let title = panel["title"]?.string ?? ""
      #expect(!title.isEmpty)
      guard panel["type"] != "row" else { continue }
      #expect(panel["description"]?.string?.isEmpty == false, "\(title)")
      let queries = panel["targets"]?.array?.compactMap { $0["expr"]?.string } ?? []
      #expect(!queries.isEmpty && queries.allSatisfy { $0.contains("$job") }, "\(title)")
      let place = panel["gridPos"]
      let (x, y) = (place?["x"]?.integer ?? -1, place?["y"]?.integer ?? -1)
      for column in x..<(x + (place?["w"]?.integer ?? 0)) {
        for row in y..<(y + (place?["h"]?.integer ?? 0)) {
          #expect(column < 24 && cells.insert([column, row]).inserted, "\(title)")
        }
      }
    }
  }
}

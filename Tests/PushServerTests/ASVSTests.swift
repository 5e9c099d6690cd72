import Foundation
import Testing

@Suite("The table of docs/contributing/asvs.md")
struct ASVSTests {
  private struct Row {
    var item: String
    var level: String
    var isMet: String
    var reason: String
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private static func rows() throws -> [Row] {
    try text("docs/contributing/asvs.md").split(separator: "\n").compactMap { line in
      guard line.firstMatch(of: #/^\| [0-9]+\.[0-9]+\.[0-9]+ /#) != nil else { return nil }
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 5 else { return Row(item: "\(line)", level: "", isMet: "", reason: "") }
      return Row(item: cells[0], level: cells[1], isMet: cells[3], reason: cells[4])
    }
  }

  @Test("has each item of the standard's levels 1 and 2 once, in its order, with its level")
  func items() throws {
    let expected = try Self.text("Tests/Fixtures/security/asvs-4.0.3.txt").split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map(String.init)
    #expect(expected.count == 259)
    #expect(try Self.rows().map { "\($0.item) \($0.level)" } == expected)
  }

  @Test("says of each item whether it is met, and of one that is where to see it")
  func verdicts() throws {
    for row in try Self.rows() {
      #expect(["yes", "partly", "no", "n/a"].contains(row.isMet), "\(row.item)")
      #expect(!row.reason.isEmpty, "\(row.item)")
      guard row.isMet == "yes" else { continue }
      let evidence =
        /[A-Za-z0-9+_-]+\.(swift|md|c|js|service)\b|scripts\/[a-z]+|CWebAssets|[Aa]s [0-9]+\.[0-9]+\.[0-9]+/
      #expect(row.reason.firstMatch(of: evidence) != nil, "\(row.item): \(row.reason)")
    }
  }

  @Test("names files and items that exist")
  func references() throws {
    let rows = try Self.rows()
    let items = Set(rows.map(\.item))
    let folders = ["Sources", "Tests", "Fuzz", "Packaging", "docs", "scripts"].map {
      Self.root.appending(path: $0)
    }
    var names: Set<String> = Set(
      try FileManager.default.contentsOfDirectory(atPath: Self.root.path))
    for folder in folders {
      let files = try #require(FileManager.default.enumerator(atPath: folder.path))
      for case let path as String in files { names.insert(URL(filePath: path).lastPathComponent) }
    }
    for row in rows {
      for match in row.reason.matches(of: /[A-Za-z0-9+_-]+\.(?:swift|md|c|js|service)\b/) {
        #expect(names.contains(String(match.0)), "\(row.item) names \(match.0)")
      }
      for match in row.reason.matches(of: /scripts\/([a-z-]+)/) {
        #expect(names.contains(String(match.1)), "\(row.item) names \(match.0)")
      }
      for match in row.reason.matches(of: /[Aa]s ([0-9]+\.[0-9]+\.[0-9]+)/) {
        #expect(items.contains(String(match.1)), "\(row.item) names \(match.1)")
      }
    }
  }
}

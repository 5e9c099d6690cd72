import Foundation
import TestSupport
import Testing

@Suite("The table of docs/contributing/asvs.md")
struct ASVSTests {
  private struct Row {
    var item: String
    var level: String
    var isMet: String
    var reason: String

    /// The tests that the reason names, as in `RolesTests "health needs no key"`.
    var tests: [(file: String, name: String)] {
      reason.matches(of: /([A-Z][A-Za-z0-9]*Tests) "([^"]+)"/).map { (String($0.1), String($0.2)) }
    }
    var files: [String] {
      reason.matches(of: /[A-Za-z0-9+_-]+\.(?:swift|md)\b|scripts\/[a-z-]+/).map {
        String($0.0.split(separator: "/").last ?? $0.0)
      }
    }
  }

  private static let root = Repository.root

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

  /// The paths of the files below a folder of the repository.
  private static func paths(_ folder: String) throws -> [String] {
    let files = try #require(
      FileManager.default.enumerator(atPath: root.appending(path: folder).path))
    return files.compactMap { $0 as? String }.map { "\(folder)/\($0)" }
  }

  @Test("has each item of the standard's levels 1 and 2 once, in its order, with its level")
  func items() throws {
    let expected = try Self.text("Tests/Fixtures/security/asvs-5.0.0.txt").split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map(String.init)
    #expect(expected.count == 253)
    #expect(try Self.rows().map { "\($0.item) \($0.level)" } == expected)
  }

  @Test("says of each item whether it is met, and of one that is by which test or page")
  func verdicts() throws {
    for row in try Self.rows() {
      #expect(["yes", "no", "n/a"].contains(row.isMet), "\(row.item)")
      #expect(!row.reason.isEmpty, "\(row.item)")
      guard row.isMet == "yes" else { continue }
      let pages = row.files.filter { $0.hasSuffix(".md") }
      #expect(!row.tests.isEmpty || !pages.isEmpty, "\(row.item): \(row.reason)")
    }
  }

  @Test("begins with the number of items of each verdict")
  func counts() throws {
    let rows = try Self.rows()
    func count(_ verdict: String) -> Int { rows.count { $0.isMet == verdict } }
    let sentence =
      "Of the \(rows.count) requirements, `martlet serve` meets \(count("yes")), does not meet"
      + " \(count("no")), and \(count("n/a")) are not applicable."
    #expect(try Self.text("docs/contributing/asvs.md").contains(sentence))
  }

  @Test("names tests that exist")
  func tests() throws {
    var sources: [String: String] = [:]
    for path in try Self.paths("Tests") where path.hasSuffix(".swift") {
      let name = URL(filePath: path).deletingPathExtension().lastPathComponent
      // A suite may have further files, as in SuiteTests+Part.swift, and another target one of the same name.
      sources[String(name.prefix { $0 != "+" }), default: ""] += try Self.text(path)
    }
    for row in try Self.rows() {
      for test in row.tests {
        #expect(sources[test.file]?.contains("\"\(test.name)\"") == true, "\(row.item): \(test)")
      }
      // A file of tests has its test beside it.
      let named = row.reason.matches(of: /[A-Za-z0-9]+Tests\b/).count
      #expect(named == row.tests.count, "\(row.item): \(row.reason)")
    }
  }

  @Test("names files and items that exist")
  func references() throws {
    let rows = try Self.rows()
    let items = Set(rows.map(\.item))
    var names = Set(try FileManager.default.contentsOfDirectory(atPath: Self.root.path))
    for folder in ["Sources", "docs", "scripts"] {
      names.formUnion(try Self.paths(folder).map { URL(filePath: $0).lastPathComponent })
    }
    for row in rows {
      for file in row.files { #expect(names.contains(file), "\(row.item) names \(file)") }
      for match in row.reason.matches(of: /[Aa]s ([0-9]+\.[0-9]+\.[0-9]+)/) {
        #expect(items.contains(String(match.1)), "\(row.item) names \(match.1)")
      }
    }
  }
}

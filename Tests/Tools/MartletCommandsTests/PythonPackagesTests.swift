import Foundation
import TestSupport
import Testing

private let folder = Repository.url("scripts/python")

@Suite("The lists of Python's packages")
struct PythonPackagesTests {
  private func lines(_ name: String) throws -> [String] {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  @Test(
    "each package that is named is listed at its version, and each that is listed has checksums",
    arguments: ["build", "tests", "torture"])
  func listed(list: String) throws {
    let named = try lines("\(list).in").filter { !$0.hasPrefix("#") && $0.contains("==") }
      .map { line in
        // The list has the package without its extras, whose own packages it has too.
        line.split(separator: " ")[0].replacing(#/\[[a-z0-9,]+\]/#, with: "").lowercased()
          .replacing("_", with: "-")
      }
    let entries = try lines("\(list).txt").filter { !$0.hasPrefix("#") }.joined(separator: "\n")
      .replacing(" \\\n", with: " ").split(separator: "\n").filter { !$0.hasPrefix(" ") }
    #expect(!named.isEmpty)
    for package in named {
      #expect(
        entries.contains { $0.hasPrefix("\(package) ") },
        "\(package) is not in \(list).txt; run scripts/python/compile")
    }
    for entry in entries {
      #expect(
        try #/^[a-z0-9.-]+==\S+(\ +--hash=sha256:[0-9a-f]{64})+$/#.wholeMatch(in: entry) != nil,
        "\(entry)")
    }
  }
}

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

  @Test(
    "where pip fails, scripts/bootstrap fails and notes no list as installed",
    arguments: [
      ("docs", "docs"), ("clients", "clients"), ("torture", "torture"), ("verify", "torture"),
      ("verify", "clients"),
    ])
  func failure(word: String, list: String) async throws {
    let place = TemporaryFolder()
    for name in ["scripts/python", "bin", ".build/python/bin"] {
      try FileManager.default.createDirectory(
        atPath: place.path(name), withIntermediateDirectories: true)
    }
    try FileManager.default.copyItem(
      atPath: Repository.url("scripts/bootstrap").path, toPath: place.path("scripts/bootstrap"))
    for name in ["build", "tests", "docs", "torture", "clients"] {
      _ = try place.write("", to: "scripts/python/\(name).txt")
    }
    // Every package of Debian is installed, and pip fails for one list.
    let programs = [
      "bin/swift": "exit 0", "bin/dpkg-query": "printf 'install ok installed'",
      ".build/python/bin/pip": "case \"$*\" in *\(list).txt) exit 1 ;; esac",
    ]
    for (name, script) in programs {
      let path = try place.write("#!/bin/sh\n\(script)\n", to: name)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    let result = await runProgram(
      "/usr/bin/env",
      ["PATH=\(place.path("bin")):/usr/bin:/bin", "bash", place.path("scripts/bootstrap"), word])
    #expect(result.status == 1, "\(result.output)")
    let noted = FileManager.default.fileExists(atPath: place.path(".build/python/\(list).txt"))
    #expect(!noted)
  }
}

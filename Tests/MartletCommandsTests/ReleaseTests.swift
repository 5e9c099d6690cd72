import Foundation
import TestSupport
import Testing

@testable import MartletCommands

private let root = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../..").standardizedFileURL

@Suite("The commit of a release", .timeLimit(.minutes(5)))
struct ReleaseTests {
  private let folder = TemporaryFolder()

  /// Runs the script in a repository whose version 0.1.0 is tagged, after a change of it.
  private func release(_ version: String, after change: String) async -> (Int32, String) {
    await runProgram(
      "/usr/bin/env",
      [
        "HOME=\(folder.url.path)", "GIT_CONFIG_GLOBAL=/dev/null", "bash", "-c",
        """
        set -e
        exec 2>&1
        cd '\(folder.url.path)'
        git init -q .
        git config user.name Tester
        git config user.email tester@example.com
        mkdir -p scripts Tests/Fixtures/versions/0.1.0
        cp '\(root.path)/scripts/release' scripts/
        printf '# Changelog\\n\\n## [Unreleased]\\n\\n- A change.\\n' >CHANGELOG.md
        echo kept >Tests/Fixtures/versions/0.1.0/sqlite.tar.gz
        commit() { git add --all; git commit -q -m "$1"; }
        commit first
        git tag 0.1.0
        \(change)
        before=$(git rev-parse HEAD; git status --porcelain)
        code=0
        scripts/release \(version) || code=$?
        [ "$before" = "$(git rev-parse HEAD; git status --porcelain)" ] || echo changed
        exit $code
        """,
      ])
  }

  @Test(
    "what cannot be released is refused, and nothing is changed",
    arguments: [
      ("", ":", "name a version as 1.2.3"),
      ("1.2", ":", "name a version as 1.2.3"),
      ("v0.2.0", ":", "name a version as 1.2.3"),
      ("0.2.0", "echo new >new", "the tree has changes"),
      ("0.1.0", ":", "0.1.0 is tagged already"),
      ("0.0.9", ":", "0.0.9 is not newer than 0.1.0"),
      ("0.2.0", "git tag 0.10.0; git tag other", "0.2.0 is not newer than 0.10.0"),
      ("0.2.0", "sed -i '/^- /d' CHANGELOG.md; commit empty", "nothing under [Unreleased]"),
      (
        "0.2.0", "sed -i 's/Unreleased/0.1.0/' CHANGELOG.md; commit empty",
        "nothing under [Unreleased]"
      ),
      (
        "0.2.0", "echo other >Tests/Fixtures/versions/0.1.0/sqlite.tar.gz; commit other",
        "0.1.0 is not as 0.1.0 has it"
      ),
      ("0.2.0", "git rm -qr Tests/Fixtures; commit none", "0.1.0 is not as 0.1.0 has it"),
      ("0.2.1", "git tag 0.2.0", "0.2.0 was tagged without its stores"),
    ])
  func refused(version: String, change: String, reason: String) async {
    let (status, output) = await release(version, after: change)
    #expect(status == 1)
    #expect(output.contains("release: ") && output.contains(reason), "\(output)")
    #expect(!output.contains("changed"), "\(output)")
  }

  @Test("a version that may be released is written before anything is built")
  func written() async throws {
    let (status, output) = await release(
      "99.0.0",
      after: """
        mkdir -p Sources/MartletCommands/CommandLine docs
        cp '\(root.path)/Sources/MartletCommands/CommandLine/Martlet.swift' \
          Sources/MartletCommands/CommandLine/
        cp '\(root.path)/README.md' .
        cp '\(root.path)/docs/ci.md' docs/
        # With a change, which it has none of right after a release.
        sed 's/^## .Unreleased.$/&\\n\\n- A change./' '\(root.path)/CHANGELOG.md' >CHANGELOG.md
        printf '#!/bin/sh\\nexit 3\\n' >scripts/bootstrap
        chmod +x scripts/bootstrap
        commit sources
        """)
    #expect(status == 3)
    #expect(output.contains("git checkout . gives the tree back"))
    func text(_ path: String) throws -> String {
      try String(contentsOf: folder.file(path), encoding: .utf8)
    }
    #expect(
      try text("Sources/MartletCommands/CommandLine/Martlet.swift").contains(
        #"static let version = "99.0.0""#))
    #expect(try text("README.md").contains(#", from: "99.0.0")"#))
    #expect(try text("docs/ci.md").contains("martlet-99.0.0-linux-x86_64.tar.gz"))
    #expect(try !text("docs/ci.md").contains("martlet-\(Martlet.version)-"))
    let changes = try text("CHANGELOG.md")
    #expect(
      try #/\n## \[Unreleased\]\n\n## \[99\.0\.0\] - \d{4}-\d\d-\d\d\n/#.firstMatch(in: changes)
        != nil)
    #expect(!changes.contains("There is no release yet"))
  }
}

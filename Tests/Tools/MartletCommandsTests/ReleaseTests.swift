import Foundation
import TestSupport
import Testing

@testable import MartletCommands

private let root = Repository.root

@Suite("The commit of a release", .timeLimit(.minutes(5)))
struct ReleaseTests {
  private let folder = TemporaryFolder()

  /// Runs the script in a repository whose version 0.1.0 is tagged, after a change of it. `make verify` counts as passed
  /// unless the change says otherwise.
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
        cp '\(root.path)/scripts/release' '\(root.path)/scripts/release-version' scripts/
        echo .build/ >.gitignore
        printf '# Changelog\\n\\n## [Unreleased]\\n\\n- A change.\\n' >CHANGELOG.md
        echo kept >Tests/Fixtures/versions/0.1.0/sqlite.tar.gz
        commit() { git add --all; git commit -q -m "$1"; }
        commit first
        git tag 0.1.0
        verify() { mkdir -p .build; git rev-parse 'HEAD^{tree}' >.build/verified; }
        \(change)
        [ -e .build/verified ] || verify
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
      ("0.2.0", "mkdir .build; : >.build/verified", "make verify has not passed with this tree"),
      (
        "0.2.0", "verify; echo new >new; commit new", "make verify has not passed with this tree"
      ),
    ])
  func refused(version: String, change: String, reason: String) async {
    let (status, output) = await release(version, after: change)
    #expect(status == 1)
    #expect(output.contains("release: ") && output.contains(reason), "\(output)")
    #expect(!output.contains("changed"), "\(output)")
  }

  /// Copies the files in which a version is written, and a step that ends the script before anything is built.
  private let sources = """
    mkdir -p Sources/Tools/MartletCommands/CommandLine docs/{app,ci,server} scripts/documents
    cp '\(root.path)/Sources/Tools/MartletCommands/CommandLine/Martlet.swift' \
      Sources/Tools/MartletCommands/CommandLine/
    cp '\(root.path)/README.md' .
    cp '\(root.path)/docs/app/testing.md' docs/app/
    cp '\(root.path)/docs/server/README.md' docs/server/
    cp '\(root.path)/docs/ci/README.md' docs/ci/
    cp '\(root.path)/scripts/documents/pages.toml' scripts/documents/
    # With a change, which it has none of right after a release.
    sed 's/^## .Unreleased.$/&\\n\\n- A change./' '\(root.path)/CHANGELOG.md' >CHANGELOG.md
    printf '#!/bin/sh\\nexit 3\\n' >scripts/bootstrap
    chmod +x scripts/bootstrap
    commit sources
    """

  private func text(_ path: String) throws -> String {
    try String(contentsOf: folder.file(path), encoding: .utf8)
  }

  @Test(
    "a version that may be released is written before anything is built",
    arguments: [
      (nil, nil), ("git@github.com:example/push.git", "https://github.com/example/push"),
      ("https://user:secret@github.com/example/push", "https://github.com/example/push"),
    ] as [(remote: String?, url: String?)])
  func written(remote: String?, url: String?) async throws {
    let (status, output) = await release(
      "99.0.0",
      after: sources + (remote.map { "\ngit remote add origin \($0)" } ?? ""))
    #expect(status == 3)
    #expect(output.contains("git checkout . gives the tree back"))
    let source = try text("Sources/Tools/MartletCommands/CommandLine/Martlet.swift")
    #expect(source.contains(#"static let version = "99.0.0""#))
    #expect(source.contains("static let isTagged = true"))
    for page in ["README.md", "docs/app/testing.md"] {
      #expect(
        try text(page).contains(
          #".package(url: "\#(url ?? "https://example.com/martlet").git", from: "99.0.0")"#))
    }
    let archive = url.map { "\($0)/releases/download/99.0.0" } ?? "https://example.com"
    #expect(
      try text("docs/ci/README.md").contains(
        "archive: \(archive)/martlet-99.0.0-linux-x86_64.tar.gz"))
    for page in ["README.md", "docs/ci/README.md", "scripts/documents/pages.toml"] {
      #expect(try !text(page).contains("martlet-\(Martlet.version)-"))
    }
    let changes = try text("CHANGELOG.md")
    #expect(
      try #/\n## \[Unreleased\]\n\n## \[99\.0\.0\] - \d{4}-\d\d-\d\d\n/#.firstMatch(in: changes)
        != nil)
  }

  @Test("a place of the version that is not there ends the release, and nothing is written")
  func missingPlace() async throws {
    let (status, output) = await release(
      "99.0.0", after: sources + "\nsed -i '/static let isTagged/d' Sources/*/*/*/*; commit other")
    #expect(status == 1)
    #expect(output.contains("Martlet.swift has no text of the form static let isTagged"))
    #expect(!output.contains("changed"), "\(output)")
  }

  @Test("the checksum of the archive is written, over one of a version before too")
  func checksum() async throws {
    let sum = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    let (_, output) = await release(
      "",
      after: sources + """

        printf hello >archive
        sed -i 's/sha256: CHECKSUM/sha256: '$(printf '0%.0s' $(seq 64))/ docs/ci/README.md
        scripts/release-version --checksum archive
        grep -c 'sha256: \(sum)$' docs/ci/README.md
        """)
    #expect(output.contains("\n1\n") || output.hasPrefix("1\n"), "\(output)")
  }
}

import Foundation
import TestSupport
import Testing

@testable import MartletCommands

@Suite("Files, folders and patterns as operands")
struct InputPathsTests {
  private let folder = TemporaryFolder()

  private func make(_ names: [String]) throws {
    for name in names {
      let file = folder.url.appending(path: name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("{}".utf8).write(to: file)
    }
  }

  /// The paths from the folder, or the operand of those that gave none.
  private func expand(_ operands: String..., as inputs: InputPaths = .payloads) -> [String] {
    let root = folder.path("") + (folder.path("").hasSuffix("/") ? "" : "/")
    return inputs.expand(operands.map { $0 == "-" ? $0 : root + $0 }).map { input in
      let isFound = (try? input.checkFound()) != nil
      return (isFound ? "" : "none: ") + input.path.replacing(root, with: "")
    }
  }

  @Test("a folder gives every payload below it, by path, without hidden ones")
  func folders() throws {
    try make([
      "b.json", "a.apns", "sub/deep/c.JSON", "sub/d.json", "text.txt", ".martlet-lint.json",
      ".git/x.json",
    ])
    #expect(expand("") == ["a.apns", "b.json", "sub/d.json", "sub/deep/c.JSON"])
    #expect(expand("sub") == ["sub/d.json", "sub/deep/c.JSON"])
  }

  @Test("operands keep their order; a single file is taken whatever it is called")
  func order() throws {
    try make(["z.txt", "a.json", "[1].json", "1.json"])
    #expect(expand("z.txt", "-", "a.json") == ["z.txt", "-", "a.json"])
    #expect(expand("[1].json") == ["[1].json"])
    #expect(expand("absent.json") == ["absent.json"])
  }

  @Test("a pattern gives what it matches, and the payloads of a folder that it matches")
  func patterns() throws {
    try make(["a1.json", "a2.json", "b.txt", "sub/c.json", "sub/deep/d.json"])
    #expect(expand("a?.json") == ["a1.json", "a2.json"])
    #expect(expand("b.*") == ["b.txt"])
    #expect(expand("**/*.json") == ["a1.json", "a2.json", "sub/c.json", "sub/deep/d.json"])
    #expect(expand("s*") == ["sub/c.json", "sub/deep/d.json"])
    #expect(expand("*/*.json") == ["sub/c.json"])
  }

  @Test("a folder without a payload and a pattern without a match give a reason")
  func nothing() throws {
    try make(["sub/text.txt"])
    #expect(expand("sub", "*.json") == ["none: sub", "none: *.json"])
  }

  @Test("a link to a folder is not followed, one to a file is read")
  func links() throws {
    try make(["a/b.json"])
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "a/loop"), withDestinationURL: folder.url)
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "a/c.json"),
      withDestinationURL: folder.url.appending(path: "a/b.json"))
    #expect(expand("a") == ["a/b.json", "a/c.json"])
  }

  @Test("a bundle is an input whole, and not searched")
  func bundles() throws {
    try make(["x/A.app/PlugIns/E.appex/Info.plist", "x/B.ipa", "x/C.xcarchive/Info.plist"])
    #expect(expand("x", as: .bundles) == ["x/A.app", "x/B.ipa", "x/C.xcarchive"])
    #expect(expand("x/A.app", as: .bundles) == ["x/A.app"])
  }
}

@Suite("Patterns of paths")
struct PathPatternTests {
  @Test(
    "what a pattern matches",
    arguments: [
      ("*.json", "a.json", true), ("*.json", "a/b.json", false), ("**/*.json", "a.json", true),
      ("**/*.json", "a/b/c.json", true), ("drafts/**", "drafts/a/b", true),
      ("drafts/**", "other/a", false), ("a?c", "abc", true), ("a?c", "ac", false),
      ("[a-c]x", "bx", true), ("[a-c]x", "dx", false), ("[!a-c]x", "dx", true),
      ("[!a-c]x", "ax", false), ("a[", "a[", true), ("[]x", "[]x", true), ("plain", "plain", true),
      ("*", "", true), ("a*b*c", "aXbYc", true), ("a*b*c", "aXcYb", false),
    ])
  func matches(pattern: String, path: String, isMatch: Bool) {
    #expect(PathPattern(pattern: pattern).matches(path) == isMatch)
  }

  @Test(
    "the folder that a search begins in",
    arguments: [("a/b/*.json", "a/b"), ("/tmp/*", "/tmp"), ("/*", "/"), ("*", ""), ("**/a", "")])
  func root(pattern: String, root: String) {
    #expect(PathPattern(pattern)?.root == root)
  }

  @Test("a path without a wildcard is no pattern")
  func plain() { #expect(PathPattern("a/b.json") == nil) }
}

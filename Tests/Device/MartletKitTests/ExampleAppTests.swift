import Foundation
import TestSupport
import Testing

/// `scripts/apple-check/check` compiles the example for iOS.
@Suite("The example of an app")
struct ExampleAppTests {
  private static let root = Repository.root

  @Test(
    "the code of a page is code of the example",
    arguments: ["docs/app/martletkit.md", "docs/app/migrating.md"])
  func pages(page: String) throws {
    let folder = Self.root.appending(path: "Examples/App")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }.map { folder.appending(path: $0) }
    #expect(files.count > 5)
    let documentation = Self.root.appending(path: page)
    #expect(try !DocumentationSnippets.snippets(of: documentation).isEmpty)
    let missing = try files.map {
      Set(try DocumentationSnippets.missing(of: documentation, from: $0))
    }
    .reduce(nil) { (all: Set<String>?, more) in all?.intersection(more) ?? more }
    for snippet in missing ?? [] {
      Issue.record("this code of \(page) is in no file of Examples/App:\n\(snippet)")
    }
  }

  @Test("the delegate in Objective-C is the one that is compiled")
  func objectiveC() throws {
    func code(_ path: String) throws -> String {
      let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
      return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let text = try String(
      contentsOf: Self.root.appending(path: "docs/app/martletkit.md"), encoding: .utf8)
    let blocks = text.components(separatedBy: "```objc\n").dropFirst()
      .map { $0.components(separatedBy: "\n```")[0] }
    #expect(!blocks.isEmpty)
    let compiled = try code("scripts/apple-check/stubs/objc/AppDelegate.m")
    for block in blocks {
      let words = block.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(compiled.contains(words), "\(block)")
    }
  }
}

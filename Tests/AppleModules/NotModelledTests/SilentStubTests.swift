import Foundation
import TestSupport
import Testing

/// Reads the sources of Apple's modules, so that a new stub which says nothing is found.
@Suite("A declaration that does nothing")
struct SilentStubTests {
  private static let files: [(path: String, text: String)] = {
    let folder = Repository.url("Sources/AppleModules")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
      .compactMap { file in
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
        let code = text.replacing(/(?m)^\s*\/\/.*$/, with: "")
        return (String(file.path().dropFirst(folder.path().count + 1)), code)
      }
      .sorted { $0.0 < $1.0 }
  }()

  /// The declarations whose body is empty or a constant, and the constants with such a value: `UIKit/UIImage.swift
  /// pngData`.
  static func silent(in path: String, _ code: String) -> [String] {
    let bodies =
      #/
      (?m) ^ [\ \t]* (?: @\S+ \s )* (?: public | open ) \b [^\n={}]*? \b
      (?: func \s (\w+) | var \s (\w+) (?= [^{}=]* \{ ) | (init) [?!] )
      [^{}]* \{ \s* (?: return \s )?
      (?: nil | \[:?\] | true | false | 0 | \.zero | \.none | \.null | "" | ) \s* \}
      /#
    let constants =
      #/(?m)^[ \t]+public let (\w+)[^=\n]*= (?:nil|\[:?\]|true|false|0|[A-Z]\w*\(\))$/#
    let unavailable = #/@available\([^@]*unavailable[^@]*$/#
    let found = code.matches(of: bodies).compactMap { match -> String? in
      // A declaration that the compiler refuses needs no line at run time.
      let before = code[..<match.range.lowerBound].suffix(300)
      let own = before.split(separator: "}", omittingEmptySubsequences: false).last ?? ""
      guard own.firstMatch(of: unavailable) == nil else { return nil }
      return (match.1 ?? match.2 ?? match.3).map(String.init)
    }
    return (found + code.matches(of: constants).map { String($0.1) }).map { "\(path) \($0)" }
  }

  @Test("is as on a phone, or says that it is not modelled")
  func silence() throws {
    let lines = try String(contentsOf: Fixtures.url("not-modelled/silent.txt"), encoding: .utf8)
      .split(separator: "\n").filter { !$0.hasPrefix("#") }
    let allowed = lines.map { line in line.components(separatedBy: ": ")[0] }
    #expect(lines.allSatisfy { $0.contains(": ") }, "each line gives a reason")
    let found = Set(Self.files.flatMap { Self.silent(in: $0.path, $0.text) })
    #expect(found.sorted() == allowed.sorted())
  }

  @Test(
    "is found in every form",
    arguments: [
      "  public func pngData() -> Data? { nil }", "  open var items: [Any] { [] }",
      "public func CCStub(\n  _ a: Int, _ b: Int = 1\n) -> Bool {\n  return false\n}",
      "  @discardableResult public static func flush() {}",
      "  public required init?(coder: NSCoder) { nil }",
      "  public let response: URLResponse? = nil", "  public var size: CGSize { .zero }",
    ])
  func forms(code: String) {
    #expect(Self.silent(in: "A.swift", code).count == 1)
  }

  @Test(
    "is not one that works, is internal, or is refused by the compiler",
    arguments: [
      "  public func size() -> Int { count }", "  func helper() -> Int? { nil }",
      "  public init() {}", "  public var title: String?\n",
      "  @available(\n    *, unavailable, message: \"No.\"\n  )\n  public var view: Any? { nil }",
    ])
  func otherForms(code: String) {
    #expect(Self.silent(in: "A.swift", code).isEmpty)
  }

  @Test("has a case in the table, if it says so")
  func table() {
    let files = Self.files.filter { !$0.path.hasSuffix("/NotModelled.swift") }
    let said = files.flatMap { file in
      file.text.matches(of: /notModelled\(\s*"([^"\\]+)",/).map { String($0.1) }
    }
    // What several declarations share gets the name of the one that was called.
    let uses = files.map { $0.text.matches(of: /notModelled\((?!api, )/).count }
    #expect(uses.reduce(0, +) == said.count, "the first argument is the name, without values")
    #expect(Set(said) == Set(LimitCase.all.map(\.api)))
  }
}

import Foundation
import TestSupport
import Testing

@Suite("The order of a room's folders")
struct FolderOrderTests {
  private static func page() throws -> String {
    try String(contentsOf: Repository.url("docs/contributing/architecture.md"), encoding: .utf8)
  }

  /// The rooms whose folders have an order in docs/contributing/architecture.md.
  private static let rooms =
    ((try? page()) ?? "").matches(of: /\n## The order of (\w+)'s folders\n/).map { String($0.1) }

  /// The folder of a room.
  private static func folder(_ room: String) throws -> URL {
    let sources = Repository.url("Sources")
    let floors = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    return try #require(
      floors.map { sources.appending(path: "\($0)/\(room)") }
        .first { FileManager.default.fileExists(atPath: $0.path) })
  }

  /// The sources of a room by their paths in it.
  private static func sources(_ room: String) throws -> [String: String] {
    let folder = try folder(room)
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try files.filter { $0.hasSuffix(".swift") }.reduce(into: [:]) { sources, path in
      sources[path] = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }
  }

  private static func order(_ room: String) throws -> FolderOrder {
    try #require(FolderOrder(heading: "## The order of \(room)'s folders", in: try page()))
  }

  @Test("docs/contributing/architecture.md has the order of PushServer's folders")
  func listed() {
    #expect(Self.rooms.contains("PushServer"))
  }

  @Test("docs/contributing/architecture.md orders every folder, once", arguments: rooms)
  func complete(room: String) throws {
    let order = try Self.order(room)
    #expect(Set(order.folders).count == order.folders.count)
    #expect(order.unknownFolders(in: try Self.sources(room)) == [])
    #expect(order.folders.last == ".")
    for folder in order.folders where folder != "." {
      let path = try Self.folder(room).appending(path: folder).path
      #expect(FileManager.default.fileExists(atPath: path), "\(folder)")
    }
  }

  @Test("no folder uses a type of one above it", arguments: rooms)
  func sources(room: String) throws {
    let violations = try Self.order(room).violations(in: try Self.sources(room))
    #expect(violations.isEmpty, "\(violations.map(\.description).joined(separator: "\n"))")
  }

  @Test(
    "each walk of docs/contributing/architecture.md names files that exist, and few enough to read",
    arguments: [
      ("## From payload to content handler", 20), ("## From POST to outcome", 30),
      ("## From a call of the app to the server", 15),
    ])
  func walk(heading: String, limit: Int) throws {
    let page = try Self.page()
    let start = try #require(page.range(of: heading)).upperBound
    let section = page[start...].components(separatedBy: "\n## ")[0]
    let files = section.components(separatedBy: "`").filter { $0.hasPrefix("Sources/") }
    #expect((10...limit).contains(files.count))
    let missing = files.filter {
      !FileManager.default.fileExists(atPath: Repository.url($0).path)
    }
    #expect(missing == [])
  }

  // MARK: The finder itself

  private static let tree = [
    "Low/Base.swift": "struct Base {}\nprivate struct Secret {}\n",
    "Low/Upward.swift": "extension Base {\n  func call() { _ = High.self }\n}\n",
    "High/High.swift":
      "enum High {\n  struct Nested {}\n}\nextension Base {\n  struct Part {}\n}\n",
    "High/Downward.swift": "final class Downward { let base = Base() }\n",
    "Main.swift": "let high = High.Nested()\nlet base: Base\n",
  ]

  private func found(_ file: String, _ text: String) -> [String] {
    var tree = Self.tree
    tree["Low/Upward.swift"] = nil
    tree[file] = text
    return FolderOrder(["Low", "High", "."]).violations(in: tree).map(\.name)
  }

  @Test("a use of a type further up is found, one further down is not")
  func finds() {
    let violations = FolderOrder(["Low", "High", "."]).violations(in: Self.tree)
    #expect(violations == [.init(file: "Low/Upward.swift", name: "High", folder: "High")])
    let reversed = FolderOrder(["High", "Low", "."]).violations(in: Self.tree)
    #expect(Set(reversed.map(\.name)) == ["Base"])
    #expect(reversed.count == 2)
  }

  @Test(
    "a use is found wherever it stands",
    arguments: [
      ("let a: [High] = []", ["High"]), ("func f() -> High.Nested? { nil }", ["High"]),
      ("extension High {}", ["High"]), ("typealias Other = Base.Part", ["Base.Part"]),
      ("let text = \"\" + \"\\(1)\"; let other = High.self", ["High"]),
      ("let a = 1 // a High\nlet b = 2 /* High\nHigh */", []), ("let text = \"High\"", []),
      ("let text = #\"a \"High\" b\"#", []), ("let text = \"\"\"\n  High\n  \"\"\"", []),
      ("let text = \"// \"; let a: High", ["High"]), ("let a = other.High", []),
      ("struct Higher {}; let a: Highest", []), ("let secret: Secret", []),
    ] as [(String, [String])])
  func uses(_ text: String, _ names: [String]) {
    #expect(found("Low/New.swift", text) == names)
    #expect(found("High/New.swift", text) == [])
  }

  @Test("a private type is no other file's")
  func hidden() {
    #expect(found("High/New.swift", "private enum Base2 {}\n") == [])
    let tree = ["Low/A.swift": "let a: Hidden", "High/B.swift": "private final class Hidden {}\n"]
    #expect(FolderOrder(["Low", "High"]).violations(in: tree) == [])
    let seen = ["Low/A.swift": "let a: Seen", "High/B.swift": "package final class Seen {\n}\n"]
    #expect(FolderOrder(["Low", "High"]).violations(in: seen).count == 1)
  }

  @Test("the order is read from a code block, and its folders are known")
  func reads() throws {
    let document =
      "# Title\n\n## Order\n\nText.\n\n```text\n(root)   a\nHigh/    b\nLow/     c\n```\n"
    let order = try #require(FolderOrder(heading: "## Order", in: document))
    #expect(order.folders == ["Low", "High", "."])
    #expect(
      order.unknownFolders(in: ["Other/A.swift": "", "Low/B.swift": "", "C.swift": ""]) == ["Other"]
    )
    #expect(FolderOrder(heading: "## Other", in: document)?.folders == nil)
  }
}

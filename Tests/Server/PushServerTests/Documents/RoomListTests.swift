import Foundation
import PushPayload
import TestSupport
import Testing

@Suite("The rooms of docs/contributing/architecture.md")
struct RoomListTests {
  /// The rooms that the manifest has for Apple's systems only.
  private static let ofApple = ["MartletKitUI", "MartletKitObjC", "RichNotificationsObjC"]

  /// The imports that go up; docs/contributing/architecture.md says why.
  private static let upward: Set = [
    "MartletKit imports UserNotifications", "PushServer imports PayloadLint",
    "RichNotificationContent imports UserNotifications",
    "RichNotifications imports UserNotifications",
  ]

  private static func page() throws -> String {
    try String(contentsOf: Repository.url("docs/contributing/architecture.md"), encoding: .utf8)
  }

  private static func isC(_ path: String) -> Bool {
    ["include", "module.modulemap"].contains {
      FileManager.default.fileExists(atPath: Repository.url("\(path)/\($0)").path)
    }
  }

  /// The rooms as the manifest has them, and as the page lists them.
  private static func lists() async throws -> (manifest: RoomList, page: RoomList) {
    let folder = TemporaryFolder()
    let run = await runProgram(
      "/usr/bin/env",
      [
        "swift", "package", "--package-path", Repository.root.path, "--scratch-path",
        folder.path("."), "dump-package",
      ])
    try #require(run.status == 0, "\(run.output)")
    let manifest = RoomList(manifest: try JSONValue(parsing: Data(run.output.utf8)), isC: isC)
    let known = Set(manifest.rooms.map(\.name) + ofApple)
    return (manifest, RoomList(page: try page(), known: known))
  }

  @Test("the page has each room of the manifest on its floor, with what it imports")
  func manifest() async throws {
    let (manifest, page) = try await Self.lists()
    #expect(page.rooms.count > 50)
    #expect(Set(page.rooms.map(\.name)).count == page.rooms.count)
    for room in manifest.rooms { #expect(page[room.name] == room, "\(room.name)") }
    let unknown = page.rooms.map(\.name).filter {
      manifest[$0] == nil && !Self.ofApple.contains($0)
    }
    #expect(unknown == [])
  }

  @Test("a room's files import the rooms of its line, and no others")
  func sources() async throws {
    let page = try await Self.lists().page
    let names = Set(page.rooms.map(\.name))
    let appleModules = page.names(on: "AppleModules")
    for room in page.rooms {
      guard var found = try RoomList.modules(of: room) else { continue }
      found = found.intersection(names).subtracting([room.name])
      var listed = room.imports
      if room.floor == "Device" {  // On Apple's systems, these are Apple's.
        found.subtract(appleModules)
        listed.subtract(appleModules)
      }
      // The compiler imports them into files that import Testing and UIKit or CoreGraphics.
      listed.subtract(["_Testing_CoreGraphics", "_Testing_UIKit"])
      #expect(found == listed, "\(room.name)")
    }
  }

  @Test("only imports that the page explains go up")
  func order() async throws {
    let page = try await Self.lists().page
    #expect(page.upward == Self.upward)
    let text = try Self.page()
    for arrow in Self.upward {
      let imported = arrow.split(separator: " ")[2]
      #expect(text.contains("imports `\(imported)`"), "\(arrow)")
    }
  }

  @Test("each folder of a floor is a room of the page or a C module, and each floor is a folder")
  func folders() async throws {
    let page = try await Self.lists().page
    let sources = Repository.url("Sources")
    let floors = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    #expect(Set(floors) == Set(page.rooms.map(\.floor)))
    for floor in floors {
      let folder = sources.appending(path: floor)
      var names = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
      names = names.filter { page[$0] != nil || !Self.isC("Sources/\(floor)/\($0)") }
      // The room that stands for the others of its floor on Apple's systems.
      names.remove("EmptyModule")
      #expect(names == page.names(on: floor), "\(floor)")
    }
  }

  // MARK: The reader itself

  @Test("floors, rooms and imports are read from a page")
  func reads() {
    let text = "# Title\n\n```text\nHigh/  text\nA  B, C,\n   D\nLow/\nB  none\nC  A\n```\n"
    let list = RoomList(page: text, known: ["A", "B", "C", "D"])
    #expect(
      list.rooms == [
        .init(name: "A", floor: "High", imports: ["B", "C", "D"]),
        .init(name: "B", floor: "Low", imports: []),
        .init(name: "C", floor: "Low", imports: ["A"]),
      ])
    #expect(list.upward == ["C imports A"])
    #expect(list.names(on: "Low") == ["B", "C"])
  }

  @Test(
    "imports are found with every attribute and level, and not in comments and literals",
    arguments: [
      ("import A", ["A"]), ("public import A\n  @testable import B", ["A", "B"]),
      ("@_exported public import struct A.B", ["A"]),
      ("#if canImport(A)\n  import A\n#endif", ["A"]),
      ("// import A\n/// import B", []), ("let a = \"import A\"", []),
      ("let a = \"\"\"\n  import A\n  \"\"\"", []), ("import_A()", []),
    ] as [(String, Set<String>)])
  func imports(source: String, modules: Set<String>) {
    #expect(SwiftText.importedModules(in: source) == modules)
  }
}

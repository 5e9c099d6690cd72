import Foundation
import PushPayload
import TestSupport

/// The rooms below `Sources` with those that each imports, as a page lists them or as the manifest has them.
struct RoomList {
  struct Room: Hashable {
    var name: String
    /// The folder of `Sources` in which the room is.
    var floor: String
    var imports: Set<String>
  }

  var rooms: [Room] = []

  /// Reads the first code block of a page.
  ///
  /// A line whose first word ends in `/` begins a floor. Other lines have a room, two spaces or more, and its imports, over
  /// as many lines as are indented. Words that are not a name in `known` are for people.
  init(page: String, known: Set<String>) {
    let block = page.components(separatedBy: "```text\n").dropFirst().first ?? ""
    var floor = ""
    for line in block.components(separatedBy: "```")[0].split(separator: "\n") {
      let words = line.split { !$0.isLetter && !$0.isNumber && !"_-/".contains($0) }
        .map(String.init)
      if line.hasPrefix(" "), !rooms.isEmpty {
        rooms[rooms.count - 1].imports.formUnion(known.intersection(words))
      } else if let name = words.first, name.hasSuffix("/") {
        floor = String(name.dropLast())
      } else if let name = words.first {
        rooms.append(
          Room(name: name, floor: floor, imports: known.intersection(words.dropFirst())))
      }
    }
  }

  /// Reads what `swift package dump-package` prints. C modules are left out.
  ///
  /// - Parameters:
  ///   - manifest: The output of the command.
  ///   - isC: Whether a folder, given by its path in the package, has a C module.
  init(manifest: JSONValue, isC: (String) -> Bool) {
    for target in manifest["targets"]?.array ?? [] where target["type"] != "test" {
      guard let name = target["name"]?.string, let path = target["path"]?.string else { continue }
      let parts = path.split(separator: "/").map(String.init)
      guard parts.count == 3, parts[0] == "Sources", parts[2] == name, !isC(path) else { continue }
      let imports = (target["dependencies"]?.array ?? []).compactMap { dependency in
        (dependency["byName"] ?? dependency["target"])?.array?.first?.string
      }
      rooms.append(Room(name: name, floor: parts[1], imports: Set(imports)))
    }
    let names = Set(rooms.map(\.name))
    for index in rooms.indices { rooms[index].imports.formIntersection(names) }
  }

  subscript(name: String) -> Room? { rooms.first { $0.name == name } }

  /// The names of the rooms of a floor.
  func names(on floor: String) -> Set<String> {
    Set(rooms.filter { $0.floor == floor }.map(\.name))
  }

  /// The imports of rooms that stand above the one that imports them, as `ROOM imports OTHER`.
  var upward: Set<String> {
    var above: Set<String> = []
    var found: Set<String> = []
    for room in rooms {
      found.formUnion(room.imports.intersection(above).map { "\(room.name) imports \($0)" })
      above.insert(room.name)
    }
    return found
  }

  /// The modules that the Swift files of a room import, or nothing if it has no Swift file.
  static func modules(of room: Room) throws -> Set<String>? {
    let folder = Repository.url("Sources/\(room.floor)/\(room.name)")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
    if files.isEmpty { return nil }
    var modules: Set<String> = []
    for file in files {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      modules.formUnion(SwiftText.importedModules(in: text))
    }
    return modules
  }
}

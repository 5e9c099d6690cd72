import Foundation
import PushPayload

/// The targets below `Sources` with those that each imports, as a page lists them or as the manifest has them.
struct RoomList {
  var rooms: [(name: String, imports: Set<String>)] = []

  /// Reads the first code block of a page: a name, two spaces or more, and the imports, over as many lines as are indented.
  ///
  /// Words that are not a name in `known` are for people.
  init(page: String, known: Set<String>) {
    let block = page.components(separatedBy: "```text\n").dropFirst().first ?? ""
    for line in block.components(separatedBy: "```")[0].split(separator: "\n") {
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" }
        .map(String.init)
      if line.hasPrefix(" "), !rooms.isEmpty {
        rooms[rooms.count - 1].imports.formUnion(known.intersection(words))
      } else if let name = words.first, line.contains("  ") {
        rooms.append((name, known.intersection(words.dropFirst())))
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
      guard let name = target["name"]?.string else { continue }
      let path = target["path"]?.string ?? "Sources/\(name)"
      guard path.hasPrefix("Sources/"), !isC(path) else { continue }
      let imports = (target["dependencies"]?.array ?? []).compactMap { dependency in
        (dependency["byName"] ?? dependency["target"])?.array?.first?.string
      }
      rooms.append((name, Set(imports)))
    }
    let names = Set(rooms.map(\.name))
    for index in rooms.indices { rooms[index].imports.formIntersection(names) }
  }

  subscript(name: String) -> Set<String>? { rooms.first { $0.name == name }?.imports }
}

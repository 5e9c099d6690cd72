import Foundation

/// The numbers of public declarations of the rooms of AppleModules, as a table of docs/app/modules-on-linux.md.
enum DeclarationCounts {
  static let start = "<!-- The table: RECORD_DOCS=1 scripts/test ModuleTests -->\n"
  static let end = "<!-- The table ends. -->"

  /// The lines of the table for folders with Swift files.
  static func table(_ folders: [URL]) throws -> String {
    let lines = try folders.sorted { $0.lastPathComponent < $1.lastPathComponent }.map { folder in
      let counts = try count(folder)
      return "| \(folder.lastPathComponent) | \(counts.declarations) | \(counts.refused) |"
    }
    return (["| Module | Declarations | Refused with advice |", "|---|---|---|"] + lines)
      .map { $0 + "\n" }.joined()
  }

  /// The public declarations in a folder, and how many of them are unavailable.
  static func count(_ folder: URL) throws -> (declarations: Int, refused: Int) {
    var counts = (declarations: 0, refused: 0)
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where path.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      var isRefused = false
      for line in text.split(separator: "\n") {
        if line.contains("*, unavailable") { isRefused = true }
        guard isDeclaration(line) else { continue }
        counts.declarations += 1
        if isRefused { counts.refused += 1 }
        isRefused = false
      }
    }
    return counts
  }

  static func isDeclaration(_ line: Substring) -> Bool {
    let words = line.split(separator: " ").filter {
      !$0.hasPrefix("@") && $0 != "nonisolated(unsafe)" && $0 != "final"
    }
    guard let first = words.first, first == "public" || first == "open" else { return false }
    return words.count > 1 && words[1] != "import" && !line.contains("@_spi")
  }
}

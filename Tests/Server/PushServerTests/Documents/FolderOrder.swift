import Foundation

/// The order of a target's folders, and the uses of type names that break it.
///
/// A folder may use the types of folders before it in the order, not of those after it. Types are
/// found in the sources by their declarations: those at the top level, and those that an extension
/// of another type declares, which are named with that type (`Call.Once`). Private types count for
/// their own file only.
struct FolderOrder {
  /// The use of a type that is declared in a folder further up.
  struct Violation: Hashable, CustomStringConvertible {
    var file: String
    var name: String
    /// The folder that declares the type.
    var folder: String

    var description: String { "\(file) uses \(name) of \(folder)" }
  }

  /// The folders, the lowest first; the root of the target is `.`.
  var folders: [String]

  /// Reads the order from a document: the lines of the first code block after a heading, the lowest
  /// folder last.
  init?(heading: String, in document: String) {
    guard let start = document.range(of: "\n\(heading)\n")?.upperBound,
      let open = document[start...].range(of: "```text\n")?.upperBound,
      let close = document[open...].range(of: "```")?.lowerBound
    else { return nil }
    folders = document[open..<close].split(separator: "\n").compactMap { line in
      line.split(separator: " ").first.map { $0.hasSuffix("/") ? String($0.dropLast()) : "." }
    }.reversed()
  }

  init(_ folders: [String]) { self.folders = folders }

  /// Returns the uses of type names against the order.
  ///
  /// `sources` are the texts of the files by their paths in the target.
  func violations(in sources: [String: String]) -> [Violation] {
    let plain = sources.mapValues { SwiftText.withoutCommentsAndStrings($0) }
    var declared: [String: Set<String>] = [:]
    for (path, text) in plain {
      for name in SwiftText.declaredTypes(in: text) {
        declared[name, default: []].insert(Self.folder(of: path))
      }
    }
    var violations: Set<Violation> = []
    for (path, text) in plain {
      guard let own = folders.firstIndex(of: Self.folder(of: path)) else { continue }
      for name in SwiftText.usedNames(in: text) {
        for folder in declared[name] ?? [] {
          guard let other = folders.firstIndex(of: folder), other > own else { continue }
          violations.insert(Violation(file: path, name: name, folder: folder))
        }
      }
    }
    return violations.sorted { $0.description < $1.description }
  }

  /// The folders of the sources that the order lacks.
  func unknownFolders(in sources: [String: String]) -> Set<String> {
    Set(sources.keys.map(Self.folder)).subtracting(folders)
  }

  private static func folder(of path: String) -> String {
    let parts = path.split(separator: "/")
    return parts.count > 1 ? String(parts[0]) : "."
  }
}

/// The parts of Swift's grammar that ``FolderOrder`` and ``RoomList`` need.
enum SwiftText {
  /// Returns a source without comments, and with empty string literals.
  static func withoutCommentsAndStrings(_ source: String) -> String {
    var text = source
    // Multi-line strings first: they may have quotes and slashes.
    for pattern in [
      #"(?s)(#*)"""(?:.*?)"""\1"#, #"(#+)"(?:[^\n]*?)"\1"#, #""(?:\\.|[^"\\\n])*""#,
      #"(?s)/\*.*?\*/"#, #"//[^\n]*"#,
    ] {
      let replacement = pattern.contains("\"") ? "\"\"" : " "
      text = text.replacingOccurrences(of: pattern, with: replacement, options: .regularExpression)
    }
    return text
  }

  /// Returns the types that other files can name: `Name`, or `Extended.Name`.
  static func declaredTypes(in text: String) -> Set<String> {
    var names: Set<String> = []
    var extended: String?
    var depth = 0
    for line in text.split(separator: "\n") {
      if depth == 0 { extended = nil }
      let isOuter = depth == 0 || (depth == 1 && extended != nil)
      if isOuter, let match = line.firstMatch(of: declaration) {
        let (keyword, name) = (match.output.1, String(match.output.2))
        if keyword == "extension" {
          extended = name
        } else {
          names.insert(depth == 0 ? name : "\(extended ?? "").\(name)")
        }
      }
      depth += line.count { $0 == "{" } - line.count { $0 == "}" }
    }
    return names
  }

  /// Returns the capitalized names of a source, and pairs of them with a dot between.
  static func usedNames(in text: String) -> Set<String> {
    var names: Set<String> = []
    for match in text.matches(of: use) {
      let parts = match.output.1.split(separator: ".").map(String.init)
      names.insert(parts[0])
      if parts.count > 1 { names.insert(parts[0] + "." + parts[1]) }
    }
    return names
  }

  /// Returns the modules that a source imports.
  static func importedModules(in source: String) -> Set<String> {
    // Code in a literal may have imports.
    let text = source.contains("\"\"\"") ? withoutCommentsAndStrings(source) : source
    return text.split(separator: "\n").reduce(into: []) { modules, line in
      guard line.contains("import "), let match = line.prefixMatch(of: moduleImport) else { return }
      modules.insert(String(match.output.1))
    }
  }

  nonisolated(unsafe) private static let moduleImport =
    /\s*(?:@\w+(?:\([^)]*\))?\s+|(?:public|package|internal|fileprivate|private)\s+)*import\s+(?:(?:struct|class|enum|func|protocol|typealias|var|let)\s+)?(\w+)/
  nonisolated(unsafe) private static let declaration =
    /^\s*(?:@\w+(?:\([^)]*\))?\s+|package\s+|public\s+|final\s+|indirect\s+)*(struct|class|enum|actor|protocol|typealias|extension)\s+(\w+)/
  nonisolated(unsafe) private static let use = /(?:^|[^.\w])([A-Z]\w*(?:\.[A-Z]\w*)?)/
}

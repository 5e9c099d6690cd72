import Foundation

/// The path of an input, or an operand without inputs.
struct InputPath: Sendable {
  let path: String
  private let problem: String?

  init(_ path: String, problem: String? = nil) {
    self.path = path
    self.problem = problem
  }

  /// - Throws: ``CommandFailure`` if a folder or a pattern has no inputs.
  func checkFound() throws(CommandFailure) {
    if let problem { throw CommandFailure(problem) }
  }
}

/// The files or bundles for the operands of a command, which are paths, folders and patterns.
struct InputPaths: Sendable {
  /// The file name extensions of inputs in folders, in lowercase.
  let extensions: Set<String>
  /// Whether inputs are themselves folders, as bundles are; their contents are then not searched.
  let areBundles: Bool

  static let payloads = InputPaths(extensions: ["json", "apns"], areBundles: false)
  static let bundles = InputPaths(
    extensions: ["app", "appex", "ipa", "xcarchive"], areBundles: true)

  /// The inputs in the order of the operands; those of one folder or pattern are sorted by path.
  func expand(_ operands: [String]) -> [InputPath] {
    operands.flatMap { operand -> [InputPath] in
      // A bracket can also be part of an existing file's name.
      if operand == "-" || FileManager.default.fileExists(atPath: operand) {
        return expandFolder(operand)
      }
      guard let pattern = PathPattern(operand) else { return [InputPath(operand)] }
      let paths = matches(pattern)
      guard !paths.isEmpty else {
        return [InputPath(operand, problem: "nothing matches \(operand)")]
      }
      return paths.flatMap(expandFolder)
    }
  }

  private func expandFolder(_ path: String) -> [InputPath] {
    guard Self.isFolder(path), !(areBundles && isInput(path)) else { return [InputPath(path)] }
    var found: [String] = []
    walk(path) { path, isFolder in
      guard isInput(path), areBundles || !isFolder else { return true }
      found.append(path)
      return !areBundles
    }
    guard !found.isEmpty else {
      let endings = extensions.sorted().map { "*.\($0)" }.joined(separator: ", ")
      return [InputPath(path, problem: "\(path) is a folder without any of \(endings)")]
    }
    return found.sorted().map { InputPath($0) }
  }

  private func matches(_ pattern: PathPattern) -> [String] {
    guard Self.isFolder(pattern.root.isEmpty ? "." : pattern.root) else { return [] }
    var found: [String] = []
    walk(pattern.root) { path, _ in
      if pattern.matches(path) {
        found.append(path)
        return false
      }
      return pattern.canMatch(below: path)
    }
    return found.sorted()
  }

  private func isInput(_ path: String) -> Bool {
    extensions.contains(URL(filePath: path).pathExtension.lowercased())
  }

  /// Visits the files and folders below a folder, except hidden ones, without following links to folders.
  ///
  /// `visit` returns whether to visit the contents of a folder.
  private func walk(_ folder: String, _ visit: (_ path: String, _ isFolder: Bool) -> Bool) {
    let place = folder.isEmpty ? "." : folder
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = folder.isEmpty ? name : folder + (folder.hasSuffix("/") ? "" : "/") + name
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      let isFolder = attributes?[.type] as? FileAttributeType == .typeDirectory
      if visit(path, isFolder), isFolder { walk(path, visit) }
    }
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}

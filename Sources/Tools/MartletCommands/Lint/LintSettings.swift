import Foundation
import PayloadLint
import PushPayload

/// The settings of a `.martlet-lint.json`: rules that are off or have another severity, for the
/// payloads in its folder and below.
///
/// ```json
/// {
///   "rules": {"M123": "off", "M521": "warning"},
///   "files": [{"pattern": "drafts/**", "rules": {"M101": "note"}}]
/// }
/// ```
struct LintSettings: Sendable {
  static let fileName = ".martlet-lint.json"

  /// The level of a rule's findings.
  enum Level: Hashable, Sendable {
    case off
    case severity(LintRule.Severity)
  }

  /// The levels for the files that match a pattern.
  struct FileSettings: Sendable {
    var pattern: PathPattern
    /// Whether the pattern matches a name in any folder, which a pattern without a slash does.
    var matchesName: Bool
    var levels: [String: Level]
  }

  /// The folder to which patterns are relative, as its path components.
  let folder: [String]
  /// The levels by the code of the rule.
  private(set) var levels: [String: Level] = [:]
  /// The settings for files, in the order of the file; a later one takes precedence over an earlier one.
  private(set) var files: [FileSettings] = []

  /// - Throws: ``CommandFailure`` if the file cannot be read or has an unknown key, code or
  ///   severity.
  init(file: URL) throws {
    folder = file.deletingLastPathComponent().pathComponents
    let path = file.path(percentEncoded: false)
    let json: JSONValue
    do {
      json = try JSONValue(parsing: Data(contentsOf: file))
    } catch let error as JSONError {
      throw CommandFailure("\(path) is \(error.sentence)", cause: error)
    } catch {
      throw CommandFailure("cannot read \(path): is it readable?", cause: error)
    }
    do {
      let members = try Self.members(of: json, at: "$", keys: ["rules", "files"])
      levels = try Self.levels(members["rules"], at: "$.rules")
      guard let items = (members["files"] ?? .array([])).array else {
        throw Problem(message: "$.files must be an array")
      }
      files = try items.enumerated().map { try Self.fileSettings($1, at: "$.files[\($0)]") }
    } catch let problem as Problem {
      throw CommandFailure("\(path): \(problem.message)")
    }
  }

  /// Removes the findings of rules that are off for the payload at a path, and sets the severity of
  /// the others.
  func apply(to report: inout LintReport, of path: String) {
    var levels = levels
    let components = URL(filePath: path).standardizedFileURL.pathComponents
    let relative = components.dropFirst(folder.count).joined(separator: "/")
    for file in files
    where file.pattern.matches(file.matchesName ? components.last ?? "" : relative) {
      levels.merge(file.levels) { $1 }
    }
    report.entries = report.entries.compactMap { entry in
      guard let level = levels[entry.rule.code] else { return entry }
      guard case .severity(let severity) = level else { return nil }
      var entry = entry
      entry.rule.severity = severity
      return entry
    }
  }

  // MARK: Reading

  private struct Problem: Error { var message: String }

  private static func fileSettings(_ json: JSONValue, at place: String) throws -> FileSettings {
    let members = try members(of: json, at: place, keys: ["pattern", "rules"])
    guard let pattern = members["pattern"]?.string, !pattern.isEmpty else {
      throw Problem(message: "\(place).pattern must be a pattern of paths, such as \"drafts/**\"")
    }
    return FileSettings(
      pattern: PathPattern(pattern: pattern), matchesName: !pattern.contains("/"),
      levels: try levels(members["rules"], at: place + ".rules"))
  }

  private static func levels(_ json: JSONValue?, at place: String) throws -> [String: Level] {
    guard let json else { return [:] }
    guard let members = json.object else { throw Problem(message: "\(place) must be an object") }
    var levels: [String: Level] = [:]
    for (code, value) in members.sorted(by: { $0.key < $1.key }) {
      guard let rule = LintRules.rule(code) else {
        throw Problem(
          message: "\(place) has the unknown rule \"\(code)\"; docs/provider/lint.md has the codes")
      }
      if value == "off" {
        levels[rule.code] = .off
      } else if let severity = value.string.flatMap(LintRule.Severity.init) {
        levels[rule.code] = .severity(severity)
      } else {
        throw Problem(message: "\(place).\(code) must be off, error, warning or note")
      }
    }
    return levels
  }

  private static func members(
    of json: JSONValue, at place: String, keys: [String]
  ) throws -> [String: JSONValue] {
    guard let members = json.object else { throw Problem(message: "\(place) must be an object") }
    if let key = members.keys.sorted().first(where: { !keys.contains($0) }) {
      let list = keys.joined(separator: " and ")
      throw Problem(message: "\(place) has the unknown key \"\(key)\"; it takes \(list)")
    }
    return members
  }
}

/// Finds the settings of each payload, in the nearest file in its folder or in a folder above.
struct LintSettingsFinder {
  private var found: [String: Result<LintSettings?, any Error>] = [:]

  /// The settings for the payload at a path; `nil` if no file applies.
  ///
  /// The path `-` counts as a file in the current folder.
  mutating func settings(for path: String) throws -> LintSettings? {
    try settings(in: URL(filePath: path).standardizedFileURL.deletingLastPathComponent())
  }

  private mutating func settings(in folder: URL) throws -> LintSettings? {
    let path = folder.path(percentEncoded: false)
    if let known = found[path] { return try known.get() }
    let file = folder.appending(path: LintSettings.fileName)
    let result: Result<LintSettings?, any Error> = Result {
      if FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) {
        return try LintSettings(file: file)
      }
      guard folder.pathComponents.count > 1 else { return nil }
      return try settings(in: folder.deletingLastPathComponent())
    }
    found[path] = result
    return try result.get()
  }
}

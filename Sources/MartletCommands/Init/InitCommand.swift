import Foundation
import PushPayload

/// `martlet init`: the files of a notification service extension, and what to do with them.
struct InitCommand: Command {
  static let name = "init"
  static let summary = "write a notification service extension for an app"
  static let operands = "[DIR] (./NotificationService)"
  static let options = [
    Option("--app-name", "NAME", help: "the app's target in Xcode"),
    Option("--bundle-id", "ID", help: "the app's bundle id"),
    Option("--app-group", "GROUP", help: "what app and extension share (group.ID)"),
    Option(
      "--category", "ID", isRepeatable: true, help: "enrich notifications of this category alone"),
    Option(
      "--allow-http", "HOST", isRepeatable: true,
      help: "media of this host may come over plain HTTP"),
    .json,
  ]

  private let project: ExtensionProject
  private let directory: String
  private let isJSON: Bool
  private let isQuiet: Bool

  init(_ arguments: Arguments) throws {
    guard arguments.operands.count <= 1 else { throw UsageError("name one DIR at most") }
    directory = arguments.operands.first ?? "./NotificationService"
    guard !directory.isEmpty else {
      throw UsageError("DIR takes a folder's path, not an empty one")
    }
    let name = try arguments.required("--app-name")
    let id = try arguments.required("--bundle-id")
    let group = arguments.value("--app-group") ?? "group." + id
    guard Self.isTargetName(name) else {
      throw UsageError(
        "--app-name takes a target's name: up to 64 letters, digits, spaces, - and _")
    }
    guard Self.isIdentifier(id) else {
      throw UsageError(
        "--bundle-id takes two words or more in dots, of letters, digits and -: com.example.app")
    }
    guard group.hasPrefix("group."), Self.isIdentifier(group) else {
      throw UsageError("--app-group takes group. and words in dots: group.com.example.app")
    }
    let hosts = arguments.all("--allow-http")
    guard hosts.allSatisfy(Self.isIdentifier) else {
      throw UsageError("--allow-http takes a host's name, such as media.example.com")
    }
    let categories = arguments.all("--category")
    guard categories.allSatisfy(Self.isCategory) else {
      throw UsageError("--category takes a category's id, without control characters")
    }
    project = ExtensionProject(
      appName: name, bundleID: id, appGroup: group, categories: categories, plainHosts: hosts,
      folder: URL(filePath: directory).standardizedFileURL.lastPathComponent)
    isJSON = arguments.flag("--json")
    isQuiet = arguments.flag("--quiet")
  }

  func run(_ console: Console) async throws -> ExitCode {
    let folder = URL(filePath: directory, directoryHint: .isDirectory).standardizedFileURL
    // Nothing is written where one thing is in the way.
    var isFolder: ObjCBool = false
    guard
      !FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder)
        || isFolder.boolValue
    else { throw CommandFailure("\(folder.path) is a file; name another DIR") }
    for file in project.files {
      let path = folder.appending(path: file.name).path
      // A link to nowhere has attributes too.
      guard (try? FileManager.default.attributesOfItem(atPath: path)) == nil else {
        throw CommandFailure("\(path) is there already; name another DIR, or move it away")
      }
    }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for file in project.files {
        try Data(file.text.utf8).write(
          to: folder.appending(path: file.name), options: .withoutOverwriting)
      }
    } catch {
      throw CommandFailure("cannot write in \(folder.path); make it yours to write", cause: error)
    }
    let paths = project.files.map { folder.appending(path: $0.name).path }
    if isJSON {
      let json: JSONValue = [
        "files": .array(paths.map(JSONValue.string)),
        "bundleID": .string(project.extensionID), "appGroup": .string(project.appGroup),
        "steps": .array(project.steps.map(JSONValue.string)),
      ]
      console.print(json.line)
      return .yes
    }
    for path in paths { console.print(path) }
    if !isQuiet {
      console.print("next:")
      for (index, step) in project.steps.enumerated() { console.print("  \(index + 1). \(step)") }
    }
    return .yes
  }

  private static func isTargetName(_ name: String) -> Bool {
    let allowed = { (byte: UInt8) in isLetterOrDigit(byte) || " -_".utf8.contains(byte) }
    guard let first = name.utf8.first, let last = name.utf8.last else { return false }
    return name.utf8.count <= 64 && isLetterOrDigit(first) && last != UInt8(ascii: " ")
      && name.utf8.allSatisfy(allowed) && name != ExtensionProject.target
  }

  /// A property list's XML has no place for control characters.
  private static func isCategory(_ id: String) -> Bool {
    !id.isEmpty && id.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  /// Words of letters, digits and hyphens in dots: `CFBundleIdentifier` in Apple's reference.
  private static func isIdentifier(_ text: String) -> Bool {
    let words = text.split(separator: ".", omittingEmptySubsequences: false)
    return words.count >= 2 && text.utf8.count <= 155
      && words.allSatisfy { word in
        !word.isEmpty
          && word.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
      }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }
}

import Foundation
import PushPayload

/// `martlet init`: writes the files of a notification service extension, with the steps to add it.
struct InitCommand: Command {
  static let name = "init"
  static let summary = "write a notification service extension for an app"
  static let operand: Operand? = Operand(
    "DIR", .atMostOne, completion: .folders,
    help: "the folder to write (default ./NotificationService)")

  enum Options {
    static let appName = Option(
      required: "--app-name", targetForm, help: "the app's target in Xcode")
    static let bundleID = Option(required: "--bundle-id", bundleIDForm, help: "the app's bundle id")
    static let appGroup = Option(
      "--app-group", groupForm, help: "the app group of app and extension (default group.ID)")
    static let category = Option(
      repeated: "--category", categoryForm, help: "enrich notifications of this category only")
    static let allowHTTP = Option(
      repeated: "--allow-http", hostForm, help: "media of this host may come over plain HTTP")

    private static let targetForm = ValueForm<String>(
      "NAME", takes: "a target's name: up to 64 letters, digits, spaces, - and _"
    ) { isTargetName($0) ? $0 : nil }
    private static let bundleIDForm = ValueForm<String>(
      "ID", takes: "two words or more in dots, of letters, digits and -: com.example.app"
    ) { isIdentifier($0) ? $0 : nil }
    private static let groupForm = ValueForm<String>(
      "GROUP", takes: "group. and words in dots: group.com.example.app"
    ) { $0.hasPrefix("group.") && isIdentifier($0) ? $0 : nil }
    private static let categoryForm = ValueForm<String>(
      "ID", takes: "a category's id, without control characters"
    ) { isCategory($0) ? $0 : nil }
    private static let hostForm = ValueForm<String>(
      "HOST", takes: "a host's name, such as media.example.com"
    ) { isIdentifier($0) ? $0 : nil }
  }

  static let options: [any CommandOption] = [
    Options.appName, Options.bundleID, Options.appGroup, Options.category, Options.allowHTTP,
    CommonOptions.json,
  ]

  private let project: ExtensionProject
  private let directory: String
  private let isJSON: Bool
  private let isQuiet: Bool

  init(_ arguments: Arguments) throws {
    directory = arguments.operands.first ?? "./NotificationService"
    let bundleID = try arguments[Options.bundleID]
    project = ExtensionProject(
      appName: try arguments[Options.appName], bundleID: bundleID,
      appGroup: try arguments[Options.appGroup] ?? "group." + bundleID,
      categories: try arguments[Options.category], plainHosts: try arguments[Options.allowHTTP],
      folder: URL(filePath: directory).standardizedFileURL.lastPathComponent)
    isJSON = arguments[CommonOptions.json]
    isQuiet = arguments[CommonOptions.quiet]
  }

  func run(_ console: Console) async throws -> ExitCode {
    let folder = URL(filePath: directory, directoryHint: .isDirectory).standardizedFileURL
    // Checked before anything is written, so that no half of an extension is left.
    var isFolder: ObjCBool = false
    guard
      !FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder)
        || isFolder.boolValue
    else { throw CommandFailure("\(folder.path) is a file; name another DIR") }
    for file in project.files {
      let path = folder.appending(path: file.name).path
      // The attributes show a broken symbolic link too, which fileExists does not.
      guard (try? FileManager.default.attributesOfItem(atPath: path)) == nil else {
        throw CommandFailure("\(path) is there already; name another DIR, or move it")
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
      return .success
    }
    for path in paths { console.print(path) }
    if !isQuiet {
      console.print("next:")
      for (index, step) in project.steps.enumerated() { console.print("  \(index + 1). \(step)") }
    }
    return .success
  }

  private static func isTargetName(_ name: String) -> Bool {
    let allowed = { (byte: UInt8) in isLetterOrDigit(byte) || " -_".utf8.contains(byte) }
    guard let first = name.utf8.first, let last = name.utf8.last else { return false }
    return name.utf8.count <= 64 && isLetterOrDigit(first) && last != UInt8(ascii: " ")
      && name.utf8.allSatisfy(allowed) && name != ExtensionProject.target
  }

  /// Whether a category's id can stand in the XML of a property list, which has no control
  /// characters.
  private static func isCategory(_ id: String) -> Bool {
    !id.isEmpty && id.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  /// Whether a text is two or more words of letters, digits and hyphens, separated by dots, as
  /// Apple's reference of `CFBundleIdentifier` has it.
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

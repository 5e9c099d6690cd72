import BundleDoctor
import Foundation
import PushPayload

/// `martlet init`: writes the files of a notification service extension, with the steps to add it.
struct InitCommand: Command {
  static let name = "init"
  static let summary = "write a notification service extension for an app"
  static let discussion = """
    With --project the extension's target is added to an Xcode project: its files, the package, the
    embedding. Nothing else in the project changes, and project.pbxproj.before-martlet keeps it as it
    was. Without, the folder's README.md has the steps, for the tools that --for names.
    """
  static let operand: Operand? = Operand(
    "DIR", .atMostOne, completion: .folders,
    help: "the folder to write (default NotificationService, beside the project or here)")

  enum Options {
    static let appName = Option(
      "--app-name", targetForm, help: "the app's target in Xcode; with --project the only app's")
    static let bundleID = Option(
      "--bundle-id", bundleIDForm, help: "the app's bundle id; with --project the target's")
    static let project = Option(
      "--project", .file("PATH"), help: "the .xcodeproj to which the extension is added")
    static let tool = Option(
      repeated: "--for", .oneOf(BuildTool.self, placeholder: "TOOL"),
      help: "the lines for " + BuildTool.allCases.map(\.rawValue).joined(separator: ", "))
    static let package = Option(
      "--package", packageForm,
      help: "the path of Martlet's repository, or its URL (default ../martlet from the project)")
    static let appGroup = Option(
      "--app-group", groupForm, help: "the app group of app and extension (default group.ID)")
    static let category = Option(
      repeated: "--category", categoryForm, help: "enrich notifications of this category only")
    static let allowHTTP = Option(
      repeated: "--allow-http", hostForm, help: "media of this host may come over plain HTTP")

    private static let packageForm = ValueForm<MartletPackage>(
      "PACKAGE", takes: "a path or a URL", completion: .folders
    ) { MartletPackage($0) }
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
    Options.appName, Options.bundleID, Options.project, Options.tool, Options.package,
    Options.appGroup, Options.category, Options.allowHTTP, CommonOptions.json,
  ]

  /// What the command line says; a project may say the rest.
  private let appName: String?
  private let bundleID: String?
  private let appGroup: String?
  private let projectPath: String?
  private let directory: String?
  private let package: MartletPackage?
  private let tools: [BuildTool]
  private let categories: [String]
  private let plainHosts: [String]
  private let isJSON: Bool
  private let isQuiet: Bool

  init(_ arguments: Arguments) throws {
    directory = arguments.operands.first
    appName = try arguments[Options.appName]
    bundleID = try arguments[Options.bundleID]
    appGroup = try arguments[Options.appGroup]
    projectPath = try arguments[Options.project]
    package = try arguments[Options.package]
    categories = try arguments[Options.category]
    plainHosts = try arguments[Options.allowHTTP]
    let named = try arguments[Options.tool]
    tools = BuildTool.allCases.filter(named.contains)
    isJSON = arguments[CommonOptions.json]
    isQuiet = arguments[CommonOptions.quiet]
    if projectPath == nil {
      guard appName != nil else { throw UsageError("missing --app-name NAME") }
      guard bundleID != nil else { throw UsageError("missing --bundle-id ID") }
    } else if !tools.isEmpty {
      throw UsageError("--project adds the extension itself; leave out --for")
    }
  }

  func run(_ console: Console) async throws -> ExitCode {
    guard let projectPath else {
      let project = extensionProject(
        appName: appName ?? "", bundleID: bundleID ?? "",
        in: directory ?? "./NotificationService")
      let paths = try ExtensionFolder(directory ?? "./NotificationService").write(project)
      print(InitResult(paths: paths, project: project), console)
      return .success
    }
    return try add(to: projectPath, console)
  }

  private func extensionProject(
    appName: String, bundleID: String, in directory: String
  ) -> ExtensionProject {
    let folder = URL(filePath: directory).standardizedFileURL
    var project = ExtensionProject(
      appName: appName, bundleID: bundleID, appGroup: appGroup ?? "group." + bundleID,
      categories: categories, plainHosts: plainHosts, folder: folder.lastPathComponent)
    if let package {
      project.package = package.relative(to: folder)
      project.packageFromApp = package.relative(to: folder.deletingLastPathComponent())
    }
    project.tools = tools
    return project
  }

  /// Adds the extension to a project and writes its files; a second run changes nothing.
  private func add(to projectPath: String, _ console: Console) throws -> ExitCode {
    let file = try XcodeProjectFile(projectPath)
    let app = try file.app(named: appName)
    try file.checkSystem(of: app)
    let bundleID = try file.bundleID(of: app, given: bundleID)
    let place = directory ?? file.folder.appending(path: ExtensionProject.target).path
    var project = extensionProject(appName: app.name, bundleID: bundleID, in: place)
    project.projectPath = projectPath
    let hasExtension = try file.hasExtension(
      ExtensionProject.target, bundleID: bundleID, of: app)
    guard !hasExtension else {
      let note = "\(projectPath) has the extension already"
      print(InitResult(paths: [], project: project, note: note), console)
      return .success
    }
    let folder = ExtensionFolder(place)
    let info = file.project.configurations(of: app).lazy.compactMap { file.info(of: $0) }.first
    var target = ExtensionTarget(
      name: ExtensionProject.target, bundleID: bundleID,
      folder: try file.relativePath(folder.url),
      package: package.map { $0.relative(to: file.folder) } ?? .beside)
    let literal = { (key: String) in
      info?[key]?.string.flatMap { $0.contains("$") ? nil : $0 }
    }
    target.infoVersions = (literal("CFBundleShortVersionString"), literal("CFBundleVersion"))
    let editor = try target.add(to: app, in: file.project)
    let paths = try folder.write(project)
    do {
      try file.replace(with: editor.bytes)
    } catch {
      // So that the next run can write them again.
      for path in paths { try? FileManager.default.removeItem(atPath: path) }
      throw error
    }
    let result = InitResult(
      paths: paths + [file.file.path], project: project, oldSystem: file.oldestSystem(of: app))
    print(result, console)
    return .success
  }

  private func print(_ result: InitResult, _ console: Console) {
    if isJSON {
      console.print(result.json.line)
    } else {
      for line in result.lines(isQuiet: isQuiet) { console.print(line) }
    }
  }

  /// Whether a text is up to 64 letters and digits of any language, spaces, hyphens and underscores.
  private static func isTargetName(_ name: String) -> Bool {
    guard let first = name.first, let last = name.last else { return false }
    // A letter may have marks; twice the scalars leave room for them, and for the names of files.
    return name.count <= 64 && name.unicodeScalars.count <= 128 && name.utf8.count <= 240
      && isLetterOrDigit(first) && last != " "
      && name.allSatisfy { isLetterOrDigit($0) || " -_".contains($0) }
      && name != ExtensionProject.target
  }

  private static func isLetterOrDigit(_ character: Character) -> Bool {
    character.unicodeScalars.enumerated().allSatisfy { index, scalar in
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber:
        true
      case .nonspacingMark, .spacingMark: index > 0
      default: false
      }
    }
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

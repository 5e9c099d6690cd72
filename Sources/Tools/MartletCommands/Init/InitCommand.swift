import BundleDoctor
import Foundation
import NotificationTemplates
import PushPayload

/// `martlet init`: writes the files of a notification service extension and of a content extension, and the steps to
/// add them.
struct InitCommand: Command {
  static let name = "init"
  static let summary = "write a notification service extension for an app"
  static let discussion = """
    With --project the extension's target is added to an Xcode project: its files, the package, the
    embedding. Nothing else in the project changes, and project.pbxproj.before-martlet keeps it as it
    was. Without, the folder's README.md has the steps, for the tools that --for names.

    With --content-extension it writes the extension that shows expanded notifications, and the
    service extension only where the app has none. The Info.plist has Martlet's category and those of
    the vendors. DIR is then NotificationContent, beside which NotificationService is.
    """
  static let operand: Operand? = Operand(
    "DIR", .atMostOne, completion: .folders,
    help: "the folder to write (default NotificationService, beside the project or here)")

  /// The app's name on the command line; if it is missing, a project may provide it.
  private let appName: String?
  private let bundleID: String?
  private let appGroup: String?
  private let projectPath: String?
  private let directory: String?
  private let package: MartletPackage?
  private let tools: [BuildTool]
  private let categories: [String]
  private let plainHosts: [String]
  /// The settings of the content extension; `nil` if none is written.
  private let content: ContentSettings?
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
    content = try Self.content(arguments)
    isJSON = arguments[CommonOptions.json]
    isQuiet = arguments[CommonOptions.quiet]
    if projectPath == nil {
      guard appName != nil else { throw UsageError("missing --app-name NAME") }
      guard bundleID != nil else { throw UsageError("missing --bundle-id ID") }
    } else if !tools.isEmpty {
      throw UsageError("--project adds the extension itself; leave out --for")
    }
    let service = ExtensionKind.service.target
    if content != nil, let directory,
      URL(filePath: directory).standardizedFileURL.lastPathComponent == service
    {
      throw UsageError(
        "DIR is the content extension's folder, beside \(service); give it another name")
    }
  }

  /// - Throws: ``UsageError`` if options of the content extension are used without it, or if the app chooses a vendor's
  ///   category and the command line does not name it.
  private static func content(_ arguments: Arguments) throws -> ContentSettings? {
    let names = try arguments[Options.vendor].map(\.id)
    let own = try arguments[Options.contentCategory]
    guard arguments[Options.contentExtension] else {
      guard names.isEmpty, own.isEmpty else {
        throw UsageError("--vendor and --content-category need --content-extension")
      }
      return nil
    }
    let vendors = ContentSettings.allVendors.filter { names.contains($0.id) }
    if own.isEmpty, let vendor = vendors.first(where: \.categories.isEmpty) {
      throw UsageError(
        "--vendor \(vendor.id.rawValue) needs --content-category ID: the app chooses its category")
    }
    return ContentSettings(vendors: vendors, ownCategories: own)
  }

  func run(_ console: Console) async throws -> ExitCode {
    let result = try projectPath.map(add) ?? writeFolders()
    if isJSON {
      console.print(result.json.line)
    } else {
      for line in result.lines(isQuiet: isQuiet) { console.print(line) }
    }
    return .success
  }

  /// The folder of an extension: DIR, the folder next to it for the other extension, or one in `folder`.
  private func place(of kind: ExtensionKind, in folder: URL) -> URL {
    let isNamed = kind == (content == nil ? .service : .content)
    guard let directory else { return folder.appending(path: kind.target).standardizedFileURL }
    let url = URL(filePath: directory, directoryHint: .isDirectory).standardizedFileURL
    return isNamed ? url : url.deletingLastPathComponent().appending(path: kind.target)
  }

  /// The files of an extension, for an app that may already have a service extension.
  private func project(
    _ kind: ExtensionKind, of app: (name: String, bundleID: String), in folder: URL,
    beside present: PresentExtension? = nil, content: ContentSettings? = nil
  ) throws(CommandFailure) -> ExtensionProject {
    if let appGroup, let present, let group = present.appGroup, group != appGroup {
      throw CommandFailure(
        "\(present.name) has the app group \(group), and both extensions "
          + "need the same; leave --app-group out to use it")
    }
    let content = content ?? self.content ?? ContentSettings()
    // A restricted service extension must still prepare the media that the content extension shows.
    let isExtended = kind == .service && self.content != nil && !categories.isEmpty
    let more = isExtended ? content.categories.filter { !categories.contains($0) } : []
    let place = place(of: kind, in: folder)
    var project = ExtensionProject(
      kind: kind, appName: app.name, bundleID: app.bundleID,
      appGroup: appGroup ?? present?.appGroup ?? "group." + app.bundleID,
      categories: categories + more, plainHosts: plainHosts, content: content, place: place)
    if let package {
      project.package = package.relative(to: place)
      project.packageFromApp = package.relative(to: place.deletingLastPathComponent())
    }
    project.tools = tools
    project.projectPath = projectPath
    return project
  }

  /// Writes the folders of the extensions, and returns the steps to add them.
  private func writeFolders() throws -> InitResult {
    let here = URL(filePath: ".", directoryHint: .isDirectory)
    let app = (name: appName ?? "", bundleID: bundleID ?? "")
    let folder = place(of: .service, in: here)
    var service: PresentExtension?
    if content != nil,
      FileManager.default.fileExists(atPath: folder.appending(path: "Info.plist").path)
    {
      let info = try? PropertyList.dictionary(
        of: Data(contentsOf: folder.appending(path: "Info.plist")), name: "the Info.plist")
      service = PresentExtension(name: ExtensionKind.service.target, info: info)
    }
    var projects: [ExtensionProject] = []
    if service == nil { projects.append(try project(.service, of: app, in: here)) }
    if content != nil {
      projects.append(try project(.content, of: app, in: here, beside: service))
    }
    return InitResult(
      paths: try ExtensionFolder.write(projects), projects: projects, service: service)
  }

  /// Adds the extensions to a project and writes their files; a second run changes nothing.
  private func add(to projectPath: String) throws -> InitResult {
    let file = try XcodeProjectFile(projectPath)
    let target = try file.app(named: appName)
    try file.checkSystem(of: target)
    let app = (name: target.name, bundleID: try file.bundleID(of: target, given: bundleID))
    let services = try file.extensions(.service, of: target, bundleID: app.bundleID)
    guard content != nil else {
      let project = try project(.service, of: app, in: file.folder)
      if services.own != nil {
        return InitResult(
          paths: [], projects: [project], note: "\(projectPath) has the extension already")
      }
      if let other = services.others.first { throw CommandFailure(other: other, of: app.name) }
      return try write([project], to: target, in: file)
    }
    let service = services.own ?? services.others.first
    let contents = try file.extensions(.content, of: target, bundleID: app.bundleID)
    let settings = try settings(beside: contents.others)
    let kinds = ExtensionKind.allCases.filter {
      $0 == .service ? service == nil : contents.own == nil
    }
    let projects = try (kinds.isEmpty ? ExtensionKind.allCases : kinds).map { kind in
      try project(
        kind, of: app, in: file.folder, beside: service ?? contents.own, content: settings)
    }
    if kinds.isEmpty {
      return InitResult(
        paths: [], projects: projects, note: "\(projectPath) has both extensions already")
    }
    var result = try write(projects, to: target, in: file)
    result.service = service
    return result
  }

  /// The settings of the content extension, given the app's other content extensions.
  ///
  /// - Throws: ``CommandFailure`` if another one has a category on the command line, or if the others have all
  ///   categories.
  private func settings(
    beside others: [PresentExtension]
  ) throws(CommandFailure) -> ContentSettings {
    var settings = content ?? ContentSettings()
    settings.others = others
    if let conflict = settings.conflicts.first {
      throw CommandFailure(
        "the content extension \"\(conflict.owner)\" has the category \(conflict.category), and iOS "
          + "starts one extension for a category; remove it there, or the extension from the app")
    }
    if settings.categories.isEmpty {
      throw CommandFailure(
        "the app's content extensions have all of the categories; name one with --content-category")
    }
    return settings
  }

  /// Adds targets to a project one by one, and writes their files.
  private func write(
    _ projects: [ExtensionProject], to app: XcodeProject.Object, in file: XcodeProjectFile
  ) throws -> InitResult {
    let info = file.project.configurations(of: app).lazy.compactMap { file.info(of: $0) }.first
    let literal = { (key: String) in
      info?[key]?.string.flatMap { $0.contains("$") ? nil : $0 }
    }
    var edited = file.project
    for project in projects {
      var target = ExtensionTarget(
        kind: project.kind, bundleID: project.bundleID,
        folder: try file.relativePath(project.place),
        package: package.map { $0.relative(to: file.folder) } ?? .beside)
      target.infoVersions = (literal("CFBundleShortVersionString"), literal("CFBundleVersion"))
      edited = try XcodeProject(
        target.add(to: edited.objects[app.id] ?? app, in: edited).bytes)
    }
    try checkPackage(in: edited, of: file)
    let paths = try ExtensionFolder.write(projects)
    do {
      try file.replace(with: edited.bytes)
    } catch {
      // The files are removed, so that the next run can write them again.
      for path in paths { try? FileManager.default.removeItem(atPath: path) }
      throw error
    }
    var result = InitResult(
      paths: paths + [file.file.path], projects: projects, oldSystem: file.oldestSystem(of: app))
    if file.project.embedPhase(of: app) == nil {
      result.phasesForInstalling = file.project.embedPhases(of: app).filter(\.isForPlugIns)
        .map(\.name)
      result.newPhase = file.project.newEmbedPhaseName(in: app)
    }
    return result
  }
}

extension InitCommand {
  /// Checks that Martlet is at the path that was added to the edited project.
  ///
  /// - Throws: ``CommandFailure`` if the folder is missing or has another package, because Xcode would open the project
  ///   without the product.
  private func checkPackage(
    in edited: XcodeProject, of file: XcodeProjectFile
  ) throws(CommandFailure) {
    func paths(_ project: XcodeProject) -> Set<String> {
      let references = project.all("XCLocalSwiftPackageReference")
      return Set(references.compactMap { $0.string("relativePath") })
    }
    for path in paths(edited).subtracting(paths(file.project)) {
      let isAbsolute = path.hasPrefix("/")
      let place = isAbsolute ? URL(filePath: path) : file.folder.appending(path: path)
      guard !MartletPackage.isAt(place) else { continue }
      throw CommandFailure(
        "Martlet's package is not at \(place.standardizedFileURL.path); name the folder of its repository, or the URL, "
          + "with --package")
    }
  }
}

extension CommandFailure {
  /// Makes the error for an app with a service extension that is not Martlet's.
  fileprivate init(other: PresentExtension, of app: String) {
    self.init(
      "the app \"\(app)\" has the service extension \"\(other.name)\", and iOS runs one only; "
        + "add the package to it and make its class a RichNotificationService, or remove it")
  }
}

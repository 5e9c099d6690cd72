import BundleDoctor
import Foundation

extension XcodeProjectFile {
  /// The app's target with a name, or the only app target.
  func app(named name: String?) throws(CommandFailure) -> XcodeProject.Object {
    let apps = project.targets.filter { $0.string("productType") == ExtensionTarget.appType }
    let names = apps.map(\.name).joined(separator: ", ")
    guard !apps.isEmpty else { throw CommandFailure("\(path) has no target of an app") }
    guard let name else {
      guard apps.count == 1 else {
        throw CommandFailure("\(path) has several apps; choose one with --app-name: \(names)")
      }
      return apps[0]
    }
    guard let app = apps.first(where: { $0.name == name }) else {
      let other = project.targets.first { $0.name == name }
      throw CommandFailure(
        other == nil
          ? "\(path) has no target \"\(name)\"; its apps are: \(names)"
          : "the target \"\(name)\" of \(path) is not an app; its apps are: \(names)")
    }
    return app
  }

  /// - Throws: ``CommandFailure`` if the extension's files do not support the app's system.
  func checkSystem(of app: XcodeProject.Object) throws(CommandFailure) {
    let configurations = project.configurations(of: app) + project.configurations(of: project.root)
    let kits = configurations.compactMap { project.setting("SDKROOT", of: $0) }
    guard let kit = kits.first, ["macosx", "appletvos", "watchos"].contains(where: kit.hasPrefix)
    else { return }
    throw CommandFailure(
      "the app \"\(app.name)\" is built with the SDK \(kit); init writes extensions for iOS")
  }

  /// The bundle ids of a target, one for each configuration that has one.
  func bundleIDs(of target: XcodeProject.Object) -> [String] {
    project.configurations(of: target).compactMap {
      project.setting("PRODUCT_BUNDLE_IDENTIFIER", of: $0)
    }
  }

  /// The app's bundle id: the given one, which must be one of the target's, or else the target's own.
  func bundleID(
    of app: XcodeProject.Object, given: String?
  ) throws(CommandFailure) -> String {
    let all = bundleIDs(of: app)
    let written = all.filter { !$0.contains("$") }
    if let given {
      guard written.isEmpty || written.count < all.count || written.contains(given) else {
        throw CommandFailure(
          "the target \"\(app.name)\" has the bundle id \(written[0]), not \(given); leave "
            + "--bundle-id out to use it")
      }
      return given
    }
    // The shortest one is that of the App Store, if others have a suffix such as .debug.
    guard let id = written.min(by: { ($0.utf8.count, $0) < ($1.utf8.count, $1) }) else {
      throw CommandFailure(
        "the target \"\(app.name)\" does not name its bundle id; give it with --bundle-id")
    }
    return id
  }

  /// The extensions of a kind: the one with Martlet's name for it, and others that the app embeds.
  ///
  /// - Throws: ``CommandFailure`` if another target has the name, or if the extension with it does not fit its app.
  func extensions(
    _ kind: ExtensionKind, of app: XcodeProject.Object, bundleID: String
  ) throws(CommandFailure) -> (own: PresentExtension?, others: [PresentExtension]) {
    let ids = bundleIDs(of: app) + [bundleID]
    let embedded = Set(
      project.objects(app.strings("dependencies")).compactMap { dependency in
        dependency.string("target")
          ?? dependency.string("targetProxy").flatMap {
            project.objects[$0]?.string("remoteGlobalIDString")
          }
      })
    let own = project.targets.first { $0.name == kind.target }
    if let own {
      let mine = bundleIDs(of: own)
      guard own.string("productType") == ExtensionTarget.productType,
        embedded.contains(own.id)
          || mine.contains(where: { ids.map { "\($0).\(kind.target)" }.contains($0) })
      else {
        throw CommandFailure(
          "\(path) has another target \"\(kind.target)\"; rename it, or remove it if it is not used"
        )
      }
      try checkPresent(own, of: app, bundleID: bundleID)
    }
    let others = project.targets.filter {
      $0.id != own?.id && embedded.contains($0.id) && isExtension($0, kind)
    }
    return (own.map(present), others.map(present))
  }

  private func present(_ target: XcodeProject.Object) -> PresentExtension {
    PresentExtension(name: target.name, info: infos(of: target).first)
  }

  private func infos(of target: XcodeProject.Object) -> [[String: PropertyList]] {
    project.configurations(of: target).compactMap { info(of: $0) }
  }

  /// Whether a target is an extension of a kind, according to its Info.plist, or to its name if it has no Info.plist.
  private func isExtension(_ target: XcodeProject.Object, _ kind: ExtensionKind) -> Bool {
    guard target.string("productType") == ExtensionTarget.productType else { return false }
    let points = infos(of: target).compactMap {
      $0["NSExtension"]?["NSExtensionPointIdentifier"]?.string
    }
    if let point = points.first { return point == kind.point }
    let letters = target.name.lowercased().filter(\.isLetter)
    return kind.usualWords.contains { letters.contains($0) }
  }

  /// The Info.plist of a configuration, if it can be read.
  func info(of configuration: XcodeProject.Object?) -> [String: PropertyList]? {
    guard let text = project.setting("INFOPLIST_FILE", of: configuration) else { return nil }
    let relative = text.replacing("$(SRCROOT)/", with: "").replacing("${SRCROOT}/", with: "")
    let url = URL(filePath: relative, relativeTo: URL(filePath: folder.path + "/"))
    guard !relative.contains("$"), let data = try? Data(contentsOf: url) else { return nil }
    return try? PropertyList.dictionary(of: data, name: "the Info.plist")
  }

  /// The app's iOS deployment target if it is older than Martlet's; `nil` if it is not, or if the project does not
  /// have one.
  func oldestSystem(of app: XcodeProject.Object) -> String? {
    let texts = (project.configurations(of: app) + project.configurations(of: project.root))
      .compactMap { project.setting("IPHONEOS_DEPLOYMENT_TARGET", of: $0) }
    guard let text = texts.first, let version = Version(text), let least = Version("16.0"),
      version < least
    else { return nil }
    return text
  }

  /// The path of the folder for the extension's files, relative to the project's folder.
  ///
  /// - Throws: ``CommandFailure`` if the files in the folder automatically belong to another target.
  func relativePath(_ directory: URL) throws(CommandFailure) -> String {
    let relative = MartletPackage.path(directory, from: folder)
    let synchronized = project.all("PBXFileSystemSynchronizedRootGroup").compactMap { group in
      place(of: group.id).map { MartletPackage.path($0, from: folder) }
    }
    if let outer = synchronized.first(where: { relative == $0 || relative.hasPrefix($0 + "/") }) {
      throw CommandFailure(
        "the folder \(outer) is synchronized with a target, which would compile the extension's "
          + "files; name a DIR outside of it")
    }
    return relative
  }

  /// The location of a group on disk; `nil` if it is not within the project's folder.
  private func place(of id: XcodeProject.ID) -> URL? {
    var parents: [XcodeProject.ID: XcodeProject.Object] = [:]
    for group in project.all("PBXGroup") {
      for child in group.strings("children") { parents[child] = group }
    }
    var parts: [String] = []
    var group = project.objects[id]
    // The loop is limited, because a group may contain itself.
    for _ in 0..<OldPropertyList.maximumDepth {
      guard let current = group else { break }
      if let path = current.string("path"), !path.isEmpty { parts.insert(path, at: 0) }
      switch current.string("sourceTree") {
      case "<group>": group = parents[current.id]
      case "SOURCE_ROOT": group = nil
      default: return nil
      }
    }
    return folder.appending(path: parts.joined(separator: "/"))
  }
}

package import Foundation

/// A bundle or archive, opened and read for the rules.
package struct Inspection: Sendable {
  /// The kind of the input, according to its file name extension.
  package enum Kind: String, Sendable { case app, appex, ipa, xcarchive }

  package let kind: Kind
  /// The app; `nil` if the input is an extension, or has no app or several.
  package let app: InspectedBundle?
  /// The number of apps, which should be one.
  package let appCount: Int
  /// The extensions in the folders in which the system looks for them.
  ///
  /// Those with `NSExtension` belong in PlugIns, and those of ExtensionKit in Extensions. One with `NSExtension` in
  /// Extensions is here and in ``misplaced``, so that its other faults are also found.
  package let extensions: [InspectedBundle]
  /// The paths of extensions in folders in which the system does not look for them.
  package let misplaced: [String]
  /// The time of the check, which decides whether profiles have expired.
  package let now: Date

  /// The extensions that are, or were meant to be, notification service extensions.
  package var services: [InspectedBundle] { extensions.filter { $0.purpose != .other } }
  /// The extensions that show expanded notifications.
  package var contentExtensions: [InspectedBundle] {
    extensions.filter { $0.point == Self.contentPoint }
  }
  /// The extensions of other kinds, such as share extensions and widgets.
  package var otherExtensions: [InspectedBundle] { extensions.filter { $0.purpose == .other } }

  /// The system for which the app, or the extension without its app, was built.
  package var system: AppleSystem { (app ?? extensions.first)?.system ?? .iOS }

  /// The app and its service extensions, which must all be correct for a notification to be enriched.
  var subjects: [InspectedBundle] { (app.map { [$0] } ?? []) + services }
}

extension Inspection {
  /// Opens an .app, .appex or .xcarchive folder, or an .ipa.
  package init(
    path: String, now: Date, limits: BundleLimits = BundleLimits()
  ) throws(BundleError) {
    let url = URL(filePath: path).standardizedFileURL
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw BundleError(.notFound, "\(path) does not exist")
    }
    guard isFolder.boolValue else {
      let tree = try BundleTree(archive: url, limits: limits)
      try self.init(tree, kind: .ipa, name: url.lastPathComponent, now: now, limits: limits)
      return
    }
    guard let kind = Kind(rawValue: url.pathExtension), kind != .ipa else {
      throw BundleError(
        .notABundle, "\(path) is not a bundle; name an .app, .appex, .ipa or .xcarchive")
    }
    let tree = try BundleTree(folder: url, limits: limits)
    try self.init(tree, kind: kind, name: url.lastPathComponent, now: now, limits: limits)
  }

  private init(
    _ tree: BundleTree, kind: Kind, name: String, now: Date, limits: BundleLimits
  ) throws(BundleError) {
    self.kind = kind
    self.now = now
    var codeLeft = limits.codeBytes
    if kind == .appex {
      app = nil
      appCount = 0
      let bundle = try InspectedBundle(path: name, tree, limits, codeLeft: &codeLeft)
      try Self.check(bundle, "\(name) is an extension")
      extensions = [bundle]
      misplaced = []
      return
    }
    let root: String
    switch kind {
    case .app, .appex:
      root = ""
      appCount = 1
    case .ipa, .xcarchive:
      let folder = kind == .ipa ? "Payload" : "Products/Applications"
      let apps = tree.children(of: folder, endingWith: ".app").keys.sorted()
      appCount = apps.count
      guard apps.count == 1 else {
        app = nil
        extensions = []
        misplaced = []
        return
      }
      root = apps[0]
    }
    let files = tree.below(root)
    let app = try InspectedBundle(
      path: root.isEmpty ? name : root, files, limits, codeLeft: &codeLeft)
    try Self.check(app, root.isEmpty ? "\(name) is an app" : "\(name) has an app")
    self.app = app
    let start = (root.isEmpty ? "" : root + "/") + (app.hasContents ? "Contents/" : "")
    let content = files.content
    let found = ["PlugIns", "Extensions"].map { content.children(of: $0, endingWith: ".appex") }
      .reduce([:]) { $0.merging($1) { first, _ in first } }
    guard found.count <= limits.extensions else {
      throw BundleError(
        .tooLarge, "\(name) has \(found.count) extensions; at most \(limits.extensions) are read")
    }
    var extensions: [InspectedBundle] = []
    var misplaced: [String] = []
    for (folder, tree) in found.sorted(by: {
      ($0.key.utf8.count, $0.key) < ($1.key.utf8.count, $1.key)
    }) {
      let bundle = try InspectedBundle(path: start + folder, tree, limits, codeLeft: &codeLeft)
      extensions.append(bundle)
      if folder.hasPrefix("Extensions/"), bundle.belongsInPlugIns { misplaced.append(folder) }
    }
    self.extensions = extensions
    misplaced += content.outermostFolders(endingWith: ".appex").filter { folder in
      let first = folder.split(separator: "/").first
      return found[folder] == nil && first != "Watch" && first != "AppClips"
    }
    // An archive may contain a second app besides the one that is shipped.
    let outside =
      root.isEmpty
      ? []
      : tree.outermostFolders(endingWith: ".appex").filter { !$0.hasPrefix(root + "/") }
    self.misplaced = misplaced.map { start + $0 } + outside
  }

  /// - Throws: ``BundleError/Code/otherSystem`` if the bundle's system has no service extensions.
  private static func check(_ bundle: InspectedBundle, _ what: String) throws(BundleError) {
    guard let refusal = bundle.system.refusal else { return }
    throw BundleError(.otherSystem, "\(what) for \(bundle.system.rawValue): \(refusal)")
  }
}

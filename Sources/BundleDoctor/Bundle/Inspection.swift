package import Foundation

/// A bundle or archive, opened and read, as rules see it.
package struct Inspection: Sendable {
  /// The kind of the input, by its file name extension.
  package enum Kind: String, Sendable { case app, appex, ipa, xcarchive }

  package let kind: Kind
  /// The app; `nil` for an extension alone, or where there is none or several.
  package let app: InspectedBundle?
  /// The number of apps where one should be.
  package let appCount: Int
  /// The extensions in the folders where the system looks for them.
  package let extensions: [InspectedBundle]
  /// The paths of extensions in other folders.
  package let misplaced: [String]
  /// The time of the check, against which profiles expire.
  package let now: Date

  static let servicePoint = "com.apple.usernotifications.service"
  static let contentPoint = "com.apple.usernotifications.content-extension"

  /// The extensions that are, or were meant to be, notification service extensions.
  package var services: [InspectedBundle] {
    extensions.filter { bundle in
      if kind == .appex { return true }
      guard let point = bundle.point else { return true }
      guard point != Self.contentPoint else { return false }
      let names = bundle.name + (bundle.principalClass ?? "")
      return point.lowercased().contains("usernotifications") || bundle.info["Martlet"] != nil
        || names.contains("NotificationService")
    }
  }

  /// The app and its service extensions, which must be right for a notification to be enriched.
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
      extensions = [try InspectedBundle(path: name, tree, limits, codeLeft: &codeLeft)]
      misplaced = []
      return
    }
    let root: String
    switch kind {
    case .app, .appex:
      root = ""
      appCount = 1
      guard !tree.files.contains("Contents/Info.plist") else {
        throw BundleError(
          .notABundle, "\(name) is a Mac app; doctor checks apps for iPhone and iPad")
      }
    case .ipa, .xcarchive:
      let folder = kind == .ipa ? "Payload" : "Products/Applications"
      let apps = tree.folders(endingWith: ".app").filter {
        $0.hasPrefix(folder + "/") && !$0.dropFirst(folder.count + 1).contains("/")
      }
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
    app = try InspectedBundle(
      path: root.isEmpty ? name : root, files, limits, codeLeft: &codeLeft)
    var extensions: [InspectedBundle] = []
    var misplaced: [String] = []
    for folder in files.folders(endingWith: ".appex") {
      let parent = folder.split(separator: "/").dropLast()
      let path = root.isEmpty ? folder : root + "/" + folder
      if parent == ["PlugIns"] || parent == ["Extensions"] {
        extensions.append(
          try InspectedBundle(path: path, files.below(folder), limits, codeLeft: &codeLeft))
      } else if parent.first != "Watch" && parent.first != "AppClips" {
        misplaced.append(path)
      }
    }
    self.extensions = extensions
    // An archive may hold a second app beside the one that is shipped.
    self.misplaced =
      misplaced
      + tree.folders(endingWith: ".appex").filter { !root.isEmpty && !$0.hasPrefix(root + "/") }
  }
}

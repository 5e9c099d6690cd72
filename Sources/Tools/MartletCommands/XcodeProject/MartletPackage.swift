import Foundation

/// The location of Martlet's package: a folder on disk, or a repository.
enum MartletPackage: Sendable, Equatable {
  case path(String)
  case url(String)

  /// The folder next to the app's, which the documentation uses.
  static let beside = MartletPackage.path("../martlet")

  /// Products of Martlet that identify a project's reference to the package.
  static let products = [
    "RichNotifications", "RichNotificationContent", "RichNotificationsObjC", "MartletKit",
    "PushPayload", "PushCrypto",
  ]

  /// Reads a location: a text with a scheme or of the form `git@host:path` is a URL, and any other a path.
  init?(_ text: String) {
    guard !text.isEmpty,
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return nil }
    let isURL = text.contains("://") || text.hasPrefix("git@")
    self = isURL ? .url(text) : .path(text)
  }

  /// The version or branch of a repository that a project requires.
  enum Requirement: Sendable, Equatable {
    case branch(String)
    /// A version, and later ones that are compatible with it.
    case from(String)

    /// The version of this program, or the branch if the version has no tag.
    static let current: Requirement = Martlet.isTagged ? .from(Martlet.version) : .branch("main")

    /// The name and the value in the syntax of SwiftPM, XcodeGen and the plugin for Expo.
    var member: (name: String, value: String) {
      switch self {
      case .branch(let name): ("branch", name)
      case .from(let version): ("from", version)
      }
    }
  }

  /// Whether a folder has the manifest of Martlet's package.
  static func isAt(_ folder: URL) -> Bool {
    let manifest = folder.appending(path: "Package.swift")
    let text = try? String(contentsOf: manifest, encoding: .utf8)
    return text?.contains("name: \"martlet\"") == true
  }

  /// The last component without `.git`, which Xcode uses as the package's name.
  var name: String {
    switch self {
    case .path(let text), .url(let text):
      let last =
        text.split(whereSeparator: { "/:".contains($0) }).last.map(String.init) ?? "martlet"
      return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
    }
  }

  /// The same package, with its path relative to a folder; an absolute path is unchanged.
  func relative(to folder: URL) -> MartletPackage {
    guard case .path(let path) = self, !path.hasPrefix("/") else { return self }
    return .path(Self.path(URL(filePath: path).standardizedFileURL, from: folder))
  }

  /// The path from a folder to another location, such as `../martlet`.
  static func path(_ place: URL, from folder: URL) -> String {
    let target = place.standardizedFileURL.pathComponents
    let base = folder.standardizedFileURL.pathComponents
    let shared = zip(target, base).prefix { $0 == $1 }.count
    let parts = base.dropFirst(shared).map { _ in ".." } + target.dropFirst(shared)
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }
}

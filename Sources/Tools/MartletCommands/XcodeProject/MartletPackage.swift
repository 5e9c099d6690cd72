import Foundation

/// Where Martlet's package is: a folder on disk, or a repository.
enum MartletPackage: Sendable, Equatable {
  case path(String)
  case url(String)

  /// The folder beside the app's, as the documentation has it.
  static let beside = MartletPackage.path("../martlet")

  /// Products of Martlet, by which a project's reference to the package is found.
  static let products = [
    "RichNotifications", "RichNotificationContent", "RichNotificationsObjC", "MartletKit",
    "PushPayload", "PushCrypto",
  ]

  /// A text with a scheme, or in the form of `git@host:path`, is a URL; any other a path.
  init?(_ text: String) {
    guard !text.isEmpty,
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return nil }
    let isURL = text.contains("://") || text.hasPrefix("git@")
    self = isURL ? .url(text) : .path(text)
  }

  /// What a project takes of a repository.
  enum Requirement: Sendable, Equatable {
    case branch(String)
    /// A version, and the later ones that are compatible.
    case from(String)

    /// The version of this program, or the branch while no tag has a version.
    static let current: Requirement = Martlet.isTagged ? .from(Martlet.version) : .branch("main")

    /// The name and the value, as SwiftPM, XcodeGen and the plugin for Expo have them.
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

  /// The last part without `.git`, by which Xcode calls the package.
  var name: String {
    switch self {
    case .path(let text), .url(let text):
      let last =
        text.split(whereSeparator: { "/:".contains($0) }).last.map(String.init) ?? "martlet"
      return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
    }
  }

  /// The same package, with a path relative to a folder; one that was given as absolute stays so.
  func relative(to folder: URL) -> MartletPackage {
    guard case .path(let path) = self, !path.hasPrefix("/") else { return self }
    return .path(Self.path(URL(filePath: path).standardizedFileURL, from: folder))
  }

  /// The path from a folder to another place: `../martlet`.
  static func path(_ place: URL, from folder: URL) -> String {
    let target = place.standardizedFileURL.pathComponents
    let base = folder.standardizedFileURL.pathComponents
    let shared = zip(target, base).prefix { $0 == $1 }.count
    let parts = base.dropFirst(shared).map { _ in ".." } + target.dropFirst(shared)
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }
}

import BundleDoctor
import BundleFixtures
import Foundation

@testable import MartletCommands

/// The bundles that Xcode builds of what `martlet init` wrote into a folder.
struct InitBundle {
  let directory: String

  init(_ directory: String) { self.directory = directory }

  /// The app, with the entitlements that the folder names, and no extension of Martlet's yet.
  var app: AppLayout {
    get throws {
      var layout = AppLayout.good
      layout.app = BundleLayout(layout.app.info, entitlements: try claims("App.entitlements"))
      layout.app.profile?.entitlements["get-task-allow"] = true
      layout.app.code?.signature?.entitlements["get-task-allow"] = true
      layout.service = nil
      return layout
    }
  }

  func bundle(_ kind: ExtensionKind) throws -> BundleLayout {
    let name = kind.target
    return BundleLayout(
      try info(kind), entitlements: try claims(kind.entitlements),
      classNames: ["_TtC\(name.utf8.count)\(name)\(name.utf8.count)\(name)"])
  }

  private func claims(_ name: String) throws -> [String: PropertyList] {
    try PropertyListDecoder().decode(
      [String: PropertyList].self, from: Data(contentsOf: URL(filePath: directory + "/" + name)))
  }

  /// The Info.plist as Xcode builds it, with the settings that project.yml names.
  private func info(_ kind: ExtensionKind) throws -> [String: PropertyList] {
    var text = try String(contentsOfFile: directory + "/Info.plist", encoding: .utf8)
    let project = try String(contentsOfFile: directory + "/project.yml", encoding: .utf8)
    var settings = [
      "EXECUTABLE_NAME": kind.target, "PRODUCT_MODULE_NAME": kind.target,
      "PRODUCT_BUNDLE_PACKAGE_TYPE": "XPC!", "DEVELOPMENT_LANGUAGE": "en",
      "MARKETING_VERSION": "1.0", "CURRENT_PROJECT_VERSION": "7",
    ]
    for line in project.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      settings[parts[0].trimmingCharacters(in: .whitespaces)] =
        parts[1].trimmingCharacters(in: .whitespaces)
    }
    for (name, value) in settings { text = text.replacing("$(\(name))", with: value) }
    var info = try PropertyListDecoder().decode([String: PropertyList].self, from: Data(text.utf8))
    // Xcode adds the deployment target, and project.yml has it for XcodeGen.
    info["MinimumOSVersion"] = "16.0"
    return info
  }
}

import PushPayload

/// The XcodeGen project of the extension, and the steps in Xcode.
extension ExtensionProject {
  var projectYAML: String {
    """
    # The notification \(kind.noun), for XcodeGen. In the app's own project.yml:
    #
    #   include:
    #     - path: \(quoted("project.yml"))
    #
    # Sources and packages are found from this folder, files in settings from the app's project.yml.
    # XcodeGen merges the dependency at the end into the app's own target.
    packages:
      Martlet:
        # The path of Martlet's repository from this folder; or its url:, and branch: or from:.
        \(yamlPackage)
    targets:
      \(target):
        type: app-extension
        platform: iOS
        deploymentTarget: "16.0" # not higher than the app's
        sources:
          - path: \(kind.source)
        settings:
          base:
            PRODUCT_NAME: \(target)
            PRODUCT_BUNDLE_IDENTIFIER: \(extensionID)
            INFOPLIST_FILE: \(quoted("Info.plist"))
            GENERATE_INFOPLIST_FILE: false
            CODE_SIGN_ENTITLEMENTS: \(quoted(kind.entitlements))
            APPLICATION_EXTENSION_API_ONLY: true
            ALWAYS_EMBED_SWIFT_STANDARD_LIBRARIES: false
            LD_RUNPATH_SEARCH_PATHS: "@executable_path/Frameworks @executable_path/../../Frameworks"
            SKIP_INSTALL: true
        dependencies:
          - package: Martlet
            product: \(kind.product)
      "\(appName)":
        dependencies:
          - target: \(target)

    """
  }

  private var yamlPackage: String {
    let requirement = MartletPackage.Requirement.current.member
    return switch package {
    case .path("../martlet"): "path: ../martlet"
    case .path(let path): "path: \(JSONValue.string(path).line)"
    case .url(let url):
      "url: \(JSONValue.string(url).line)\n    \(requirement.name): \(requirement.value)"
    }
  }

  func inProject(_ path: String) -> String {
    """
    `martlet init` added to `\(path)` the target `\(target)` with the files of this folder, Martlet's
    package, and the phase that embeds the extension in \(appName). `project.pbxproj.before-martlet` is the
    project as it was.

    1. Signing & Capabilities of \(appName): Push Notifications, and App Groups with `\(appGroup)`; its
       entitlements then have what `App.entitlements` has. The extension's are in
       `\(kind.entitlements)`.
    2. The extension has the app's team, deployment target and versions as they are now. Set them for the
       project to keep them the same.
    """
  }

  var byHand: String {
    """
    `martlet init --project PATH.xcodeproj\(kind == .content ? " --content-extension" : "")` does steps 1 to 5 and 7 for you.

    1. File, Add Package Dependencies: add Martlet.
    2. File, New, Target, \(kind.template). Product Name `\(target)`, embedded in
       \(appName). Activate no scheme.
    3. Replace the files of the new target by `\(kind.source)` and `Info.plist` of this
       folder, and set its Info.plist File build setting to the latter.\(storyboardNote)
    4. The new target, General: iOS deployment target as the app's; Xcode proposes the newest, with which
       the extension does not run on older phones. Frameworks and Libraries: add `\(kind.product)`.
    5. Signing & Capabilities of the new target: the app's team, App Groups, `\(appGroup)`. Its
       entitlements are then those of `\(kind.entitlements)`.
    6. Signing & Capabilities of \(appName): Push Notifications, and App Groups with the same group;
       its entitlements then have what `App.entitlements` has.
    7. Build Phases of \(appName), Embed Foundation Extensions: the extension is there, destination
       PlugIns, Copy only when installing unticked. Where Xcode reports a cycle, drag this phase
       above the script phases.
    8. Versions: set Marketing Version and Current Project Version for the project, so that both
       targets have the same.
    """
  }

  /// A storyboard is part of Xcode's template for a content extension, but the Info.plist names a class.
  private var storyboardNote: String {
    kind == .service ? "" : "\n   `MainInterface.storyboard` is not used: remove it."
  }
}

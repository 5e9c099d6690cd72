import PushPayload

/// The XcodeGen project and the README of the extension.
extension ExtensionProject {
  var projectYAML: String {
    """
    # The notification service extension, for XcodeGen. In the app's own project.yml:
    #
    #   include:
    #     - path: \(quoted("project.yml"))
    #
    # Sources and packages are found from this folder, files in settings from the app's project.yml.
    # XcodeGen merges the dependency at the end into the app's own target.
    packages:
      Martlet:
        # The path of Martlet's repository from this folder; or its url: and from:.
        \(yamlPackage)
    targets:
      \(Self.target):
        type: app-extension
        platform: iOS
        deploymentTarget: "16.0" # not higher than the app's
        sources:
          - path: NotificationService.swift
        settings:
          base:
            PRODUCT_NAME: \(Self.target)
            PRODUCT_BUNDLE_IDENTIFIER: \(extensionID)
            INFOPLIST_FILE: \(quoted("Info.plist"))
            GENERATE_INFOPLIST_FILE: false
            CODE_SIGN_ENTITLEMENTS: \(quoted("NotificationService.entitlements"))
            APPLICATION_EXTENSION_API_ONLY: true
            ALWAYS_EMBED_SWIFT_STANDARD_LIBRARIES: false
            LD_RUNPATH_SEARCH_PATHS: "@executable_path/Frameworks @executable_path/../../Frameworks"
            SKIP_INSTALL: true
        dependencies:
          - package: Martlet
            product: RichNotifications
      "\(appName)":
        dependencies:
          - target: \(Self.target)

    """
  }

  private var yamlPackage: String {
    switch package {
    case .path("../martlet"): "path: ../martlet"
    case .path(let path): "path: \(JSONValue.string(path).line)"
    case .url(let url): "url: \(JSONValue.string(url).line)\n    from: \(Martlet.version)"
    }
  }

  var readme: String {
    let categoryStep =
      categories.isEmpty
      ? "Every notification is enriched. To restrict that, name categories in "
        + "`UNNotificationExtensionCategory` under `NSExtension/NSExtensionAttributes` of Info.plist."
      : "Only these categories are enriched: \(categories.joined(separator: ", "))."
    let transportStep =
      plainHosts.isEmpty
      ? "Media come over https: only. The exceptions in the app's Info.plist do not apply here."
      : "Media of \(plainHosts.joined(separator: ", ")) may come over http:; the App Store asks for a reason."
    return """
      # The notification service extension of \(appName)

      `\(extensionID)` fetches the media of a notification and attaches them before it is shown.

      \(sections)

      ## Signing

      `\(extensionID)` needs a provisioning profile of its own. With automatic signing Xcode makes it;
      otherwise register that bundle id and `\(appGroup)` at developer.apple.com, turn App Groups on for
      both bundle ids and Push Notifications on for `\(bundleID)`, make both profiles, and name both
      in the export options.

      ## What it does

      \(categoryStep)
      \(transportStep)
      The settings are under `Martlet` in Info.plist; `NotificationService` may override them in Swift.

      ## Check it

      ```sh
      martlet doctor \(shell("\(appName).xcarchive"))
      ```

      """
  }

  /// How the extension gets into the app: what was done in its project, or what is to be done with
  /// each tool.
  private var sections: String {
    if let projectPath {
      return "## In the project\n\n" + inProject(projectPath)
    }
    if tools.isEmpty {
      return "## With XcodeGen\n\n\(xcodeGenSection)\n\n## Without\n\n\(byHand)"
    }
    return tools.map { "## With \($0.title)\n\n\($0.section(of: self))" }
      .joined(separator: "\n\n")
  }

  private func inProject(_ path: String) -> String {
    """
    `martlet init` added to `\(path)` the target `\(Self.target)` with the files of this folder, Martlet's
    package, and the phase that embeds the extension in \(appName). `project.pbxproj.before-martlet` is the
    project as it was.

    1. Signing & Capabilities of \(appName): Push Notifications, and App Groups with `\(appGroup)`; its
       entitlements then have what `App.entitlements` has. The extension's are in
       `NotificationService.entitlements`.
    2. The extension has the app's team, deployment target and versions as they are now. Set them for the
       project to keep them the same.
    """
  }

  private var byHand: String {
    """
    `martlet init --project PATH.xcodeproj` does steps 1 to 5 and 7 for you.

    1. File, Add Package Dependencies: add Martlet.
    2. File, New, Target, Notification Service Extension. Product Name `\(Self.target)`, embedded in
       \(appName). Activate no scheme.
    3. Replace the files of the new target by `NotificationService.swift` and `Info.plist` of this
       folder, and set its Info.plist File build setting to the latter.
    4. The new target, General: iOS deployment target as the app's; Xcode proposes the newest, with which
       the extension does not run on older phones. Frameworks and Libraries: add `RichNotifications`.
    5. Signing & Capabilities of the new target: the app's team, App Groups, `\(appGroup)`. Its
       entitlements are then those of `NotificationService.entitlements`.
    6. Signing & Capabilities of \(appName): Push Notifications, and App Groups with the same group;
       its entitlements then have what `App.entitlements` has.
    7. Build Phases of \(appName), Embed Foundation Extensions: the extension is there, destination
       PlugIns, Copy only when installing unticked. Where Xcode reports a cycle, drag this phase
       above the script phases.
    8. Versions: set Marketing Version and Current Project Version for the project, so that both
       targets have the same.
    """
  }
}

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
        path: ../martlet
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

  /// The path of a file in the folder as YAML has it, which takes the strings of JSON.
  private func quoted(_ name: String) -> String {
    JSONValue.string("\(folder)/\(name)").line
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

      ## With XcodeGen

      1. Put this folder beside the app's `project.yml`, and name it there:

         ```yaml
         include:
           - path: \(quoted("project.yml"))
         ```

      2. Set `packages/Martlet` in this folder's `project.yml` to the place of Martlet.
      3. Merge `App.entitlements` into the app's entitlements file.
      4. Run `xcodegen`.

      ## Without

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
      martlet doctor \(appName.contains(" ") ? "\"\(appName).xcarchive\"" : appName + ".xcarchive")
      ```

      """
  }
}

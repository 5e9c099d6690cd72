import NotificationTemplates
import PushPayload

/// The exact lines for each tool, as sections of the README.
extension ExtensionProject {
  var xcodeGenSection: String {
    """
    1. Put this folder beside the app's `project.yml`, and name it there:

       ```yaml
       include:
         - path: \(quoted("project.yml"))
       ```

    2. Set `packages/Martlet` in this folder's `project.yml` to the place of Martlet.
    3. Merge `App.entitlements` into the app's entitlements file.
    4. Run `xcodegen`.
    """
  }

  /// Source: Tuist's reference of `ProjectDescription`.
  var tuistSection: String {
    let reference =
      switch packageFromApp {
      case .path(let path): ".local(path: \(swift(path)))"
      case .url(let url):
        ".remote(url: \(swift(url)), requirement: \(tuistRequirement))"
      }
    return """
      Tuist embeds an extension in an app of the same project. In `Project.swift`, beside which this folder is:

      1. Add to `packages` of the project, where it is not there yet:

         ```swift
         \(reference),
         ```

      2. Add to `dependencies` of the app's target \(appName):

         ```swift
         .target(name: "\(target)"),
         ```

      3. Add to `targets`:

         ```swift
         .target(
           name: "\(target)",
           destinations: [.iPhone, .iPad],
           product: .appExtension,
           bundleId: \(swift(extensionID)),
           deploymentTargets: .iOS("16.0"),  // not higher than the app's
           infoPlist: .file(path: \(quoted("Info.plist"))),
           sources: [\(quoted(kind.source))],
           entitlements: .file(path: \(quoted(kind.entitlements))),
           dependencies: [.package(product: "\(kind.product)")],
           settings: .settings(base: [
             "APPLICATION_EXTENSION_API_ONLY": "YES",
             "ALWAYS_EMBED_SWIFT_STANDARD_LIBRARIES": "NO",
             "LD_RUNPATH_SEARCH_PATHS": [
               "$(inherited)", "@executable_path/Frameworks", "@executable_path/../../Frameworks",
             ],
             "SKIP_INSTALL": "YES",
           ])),
         ```

      4. Give `MARKETING_VERSION` and `CURRENT_PROJECT_VERSION` in the settings of the project, so that both
         targets have the same.
      5. Merge `App.entitlements` into the app's entitlements file.
      6. Run `tuist generate`.
      """
  }

  private var tuistRequirement: String {
    switch MartletPackage.Requirement.current {
    case .branch(let name): ".branch(\(swift(name)))"
    case .from(let version): ".upToNextMajor(from: \(swift(version)))"
    }
  }

  /// Source: CocoaPods' reference of the Podfile, `inherit!` and `target`.
  var cocoaPodsSection: String {
    """
    Martlet is a Swift package and no pod: the package is added to the app's project, which CocoaPods leaves as it is.

    1. Beside the Podfile run

       ```sh
       \(initLine(path: "\(appName).xcodeproj"))
       ```

       which adds the target, the package and the embedding to the project.
    2. Leave the Podfile as it is: without a `target` of its own the extension gets no pods, and
       `pod install` does not change it. If it uses pods too, name them beside the app's target, not within it,
       with the same `use_frameworks!`, and no `post_install` is needed:

       ```ruby
       target '\(target)' do
         pod 'APodThatTheExtensionUses'
       end
       ```

       A pod that calls what extensions may not, such as `UIApplication.shared`, cannot be among them.
    3. Run `pod install`, open the workspace, and build.
    """
  }

  /// Source: Flutter's guide to app extensions of iOS, and flutter/flutter issue 135056 on the cycle.
  var flutterSection: String {
    """
    1. In the folder of the Flutter app run

       ```sh
       \(initLine(path: "ios/Runner.xcodeproj", name: "Runner"))
       ```

       The extension takes version and build from `pubspec.yaml`, as the app does.
    2. The phase Embed Foundation Extensions stands above Thin Binary. Where Xcode reports a cycle inside Runner,
       the phase was made by Xcode, or moved: drag it above Thin Binary and the other scripts after Compile Sources.
    3. Leave `ios/Podfile` as it is, if there is one: the extension has no pods and no Flutter code, and
       `flutter_install_all_ios_pods` belongs in the target Runner alone.
    4. Merge `App.entitlements` into `ios/Runner/Runner.entitlements`.
    5. The app's iOS deployment target must be 16.0 or later: in `ios/Podfile` too, `platform :ios, '16.0'`.
    6. Run `flutter build ipa`, and `martlet doctor build/ios/archive/Runner.xcarchive`.
    """
  }

  /// Source: Capacitor's templates of iOS projects, with CocoaPods and with Swift packages.
  var capacitorSection: String {
    """
    1. In the folder of the app, after `npx cap add ios`, run

       ```sh
       \(initLine(path: "ios/App/App.xcodeproj", name: "App"))
       ```

       `npx cap sync` and `npx cap update` write `ios/App/CapApp-SPM` or the Podfile, and keep the target.
       An older project may first need a newer Project Format; the command says so.
    2. With CocoaPods leave `ios/App/Podfile` as it is: the extension has no pods.
    3. Merge `App.entitlements` into `ios/App/App/App.entitlements`.
    4. The app's iOS deployment target must be 16.0 or later, in the project and, with CocoaPods, in the Podfile's
       `platform :ios, '16.0'`.
    5. Run `npx cap open ios`, and archive.
    """
  }

  /// The command that adds the extension to a project.
  func initLine(path: String, name: String? = nil) -> String {
    var words = ["martlet init --project \(shell(path))", "--app-name \(shell(name ?? appName))"]
    words.append("--bundle-id \(bundleID)")
    if appGroup != "group." + bundleID { words.append("--app-group \(appGroup)") }
    words += categories.map { "--category \(shell($0))" }
    words += plainHosts.map { "--allow-http \($0)" }
    if kind == .content {
      words.append("--content-extension")
      words += content.vendors.map { "--vendor \($0.id.rawValue)" }
      words += content.ownCategories.map { "--content-category \(shell($0))" }
    }
    switch packageFromApp {
    case .beside: break
    case .path(let place), .url(let place): words.append("--package \(shell(place))")
    }
    return words.joined(separator: " ")
  }

  /// A word of a command line, quoted if a shell requires it.
  func shell(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte) || "-_./:@".utf8.contains(byte)
    }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// A text as a Swift string literal.
  private func swift(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  /// The path of a file in the folder as a JSON string, which is also valid in YAML and Swift.
  func quoted(_ name: String) -> String { JSONValue.string("\(folder)/\(name)").line }
}

/// The build settings of the extension's target, which follow those of the app's target.
struct ExtensionSettings: Sendable {
  let target: ExtensionTarget
  let app: XcodeProject.Object
  let project: XcodeProject

  /// The settings that are copied from the app's target, if it has them.
  private static let shared = [
    "CODE_SIGN_STYLE", "CURRENT_PROJECT_VERSION", "DEVELOPMENT_TEAM", "IPHONEOS_DEPLOYMENT_TARGET",
    "MARKETING_VERSION", "SDKROOT", "SUPPORTED_PLATFORMS", "SUPPORTS_MACCATALYST",
    "SUPPORTS_MAC_DESIGNED_FOR_IPHONE_IPAD", "SUPPORTS_XR_DESIGNED_FOR_IPHONE_IPAD",
    "SWIFT_VERSION", "TARGETED_DEVICE_FAMILY",
  ]

  /// Flutter's generated settings, which contain the version and build of `pubspec.yaml`.
  ///
  /// The app's own configuration files include those of CocoaPods, which are only for the app.
  var baseConfiguration: XcodeProject.Object? {
    project.all("PBXFileReference").first {
      $0.string("path")?.hasSuffix("Flutter/Generated.xcconfig") == true
    }
  }

  /// The sorted settings of the configuration with a name.
  func values(for name: String) -> [(String, XcodeValue)] {
    let mine = configuration(name, of: app)
    let projects = configuration(name, of: project.root)
    let folder = target.folder
    var values: [String: XcodeValue] = [
      "ALWAYS_EMBED_SWIFT_STANDARD_LIBRARIES": .string("NO"),
      "APPLICATION_EXTENSION_API_ONLY": .string("YES"),
      "CODE_SIGN_ENTITLEMENTS": .string("\(folder)/\(target.kind.entitlements)"),
      "GENERATE_INFOPLIST_FILE": .string("NO"),
      "INFOPLIST_FILE": .string("\(folder)/Info.plist"),
      "LD_RUNPATH_SEARCH_PATHS": .array(
        ["$(inherited)", "@executable_path/Frameworks", "@executable_path/../../Frameworks"]
          .map(XcodeValue.string)),
      "PRODUCT_BUNDLE_IDENTIFIER": .string("\(bundleID(mine)).\(target.name)"),
      "PRODUCT_NAME": .string("$(TARGET_NAME)"), "SKIP_INSTALL": .string("YES"),
    ]
    for key in Self.shared {
      if let text = project.setting(key, of: mine) { values[key] = .string(text) }
    }
    if values["DEVELOPMENT_TEAM"] == nil, let team = attributes?["DevelopmentTeam"]?.string {
      values["DEVELOPMENT_TEAM"] = .string(team)
    }
    func set(_ key: String, _ usual: String) {
      guard values[key] == nil, project.setting(key, of: projects) == nil else { return }
      values[key] = .string(usual)
    }
    let isFlutter = baseConfiguration != nil
    set(
      "MARKETING_VERSION",
      isFlutter ? "$(FLUTTER_BUILD_NAME)" : target.infoVersions.version ?? "1.0")
    set(
      "CURRENT_PROJECT_VERSION",
      isFlutter ? "$(FLUTTER_BUILD_NUMBER)" : target.infoVersions.build ?? "1")
    set("SWIFT_VERSION", "5.0")
    set("TARGETED_DEVICE_FAMILY", "1,2")
    return values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The app's bundle id in a configuration, which may differ from that of another one.
  ///
  /// A variable in it, such as `$(PRODUCT_NAME)`, would have another value in the extension.
  private func bundleID(_ configuration: XcodeProject.Object?) -> String {
    let id = project.setting("PRODUCT_BUNDLE_IDENTIFIER", of: configuration)
    return id.flatMap { $0.contains("$") ? nil : $0 } ?? target.bundleID
  }

  private func configuration(_ name: String, of object: XcodeProject.Object) -> XcodeProject.Object?
  {
    let all = project.configurations(of: object)
    return all.first { $0.string("name") == name } ?? all.first
  }

  /// The project's attributes of the app's target.
  private var attributes: OldPropertyList? {
    project.root.value["attributes"]?["TargetAttributes"]?[app.id]
  }
}

/// The files of a notification service extension for one app.
struct ExtensionProject: Sendable {
  let appName: String
  let bundleID: String
  let appGroup: String
  let categories: [String]
  /// The hosts whose media may come over plain HTTP.
  let plainHosts: [String]
  /// The name of the folder, which is beside the app's project.
  let folder: String
  /// Where Martlet is, from the folder.
  var package = MartletPackage.beside
  /// Where Martlet is, from the folder that holds this one.
  var packageFromApp = MartletPackage.beside
  /// The tools that the app is built with, as far as they were named.
  var tools: [BuildTool] = []
  /// The Xcode project to which the extension is added.
  var projectPath: String?

  /// The name of the extension's target and module.
  static let target = "NotificationService"

  var extensionID: String { "\(bundleID).\(Self.target)" }

  var files: [(name: String, text: String)] {
    var files = [
      ("NotificationService.swift", source), ("Info.plist", infoPlist),
      ("NotificationService.entitlements", entitlements), ("App.entitlements", appEntitlements),
    ]
    let usesXcodeGen = tools.isEmpty ? projectPath == nil : tools.contains(.xcodegen)
    if usesXcodeGen { files.append(("project.yml", projectYAML)) }
    if tools.contains(.expo) { files.append((Self.expoPlugin, expoPluginSource)) }
    return files + [("README.md", readme)]
  }

  /// The steps that remain, one in each line.
  var steps: [String] {
    let first =
      if projectPath != nil { [String]() } else if tools.isEmpty {
        [
          "With XcodeGen: add project.yml of this folder to the include list of the app's own and "
            + "run xcodegen. Without: README.md has the steps in Xcode."
        ]
      } else { tools.map { $0.step(of: self) } }
    return first + [
      "Merge App.entitlements into the app's entitlements.",
      "At developer.apple.com register \(extensionID) and \(appGroup), and turn App Groups on for "
        + "both bundle ids and Push Notifications on for \(bundleID).",
      "Send with mutable-content: 1, archive, and check the archive with martlet doctor.",
    ]
  }

  private var source: String {
    """
    import RichNotifications

    /// Fetches the media of notifications and attaches them. The settings are in Info.plist, under
    /// Martlet.
    final class NotificationService: RichNotificationService {}

    """
  }

  private var infoPlist: String {
    var martlet: [(String, XMLValue)] = [("AppGroup", .string(appGroup))]
    if !plainHosts.isEmpty { martlet.append(("AllowsPlainHTTP", .bool(true))) }
    var security: [(String, XMLValue)] = [("NSAllowsArbitraryLoads", .bool(false))]
    if !plainHosts.isEmpty {
      let allowed = XMLValue.dictionary([("NSExceptionAllowsInsecureHTTPLoads", .bool(true))])
      security.append(("NSExceptionDomains", .dictionary(plainHosts.map { ($0, allowed) })))
    }
    var keys: [(String, XMLValue)] = [
      ("NSExtensionPointIdentifier", .string("com.apple.usernotifications.service")),
      ("NSExtensionPrincipalClass", .string("$(PRODUCT_MODULE_NAME).NotificationService")),
    ]
    if !categories.isEmpty {
      let names = XMLValue.array(categories.map(XMLValue.string))
      keys.append(
        ("NSExtensionAttributes", .dictionary([("UNNotificationExtensionCategory", names)])))
    }
    return XMLValue.dictionary([
      ("CFBundleDevelopmentRegion", .string("$(DEVELOPMENT_LANGUAGE)")),
      ("CFBundleDisplayName", .string(Self.target)),
      ("CFBundleExecutable", .string("$(EXECUTABLE_NAME)")),
      ("CFBundleIdentifier", .string("$(PRODUCT_BUNDLE_IDENTIFIER)")),
      ("CFBundleInfoDictionaryVersion", .string("6.0")),
      ("CFBundleName", .string("$(PRODUCT_NAME)")),
      ("CFBundlePackageType", .string("$(PRODUCT_BUNDLE_PACKAGE_TYPE)")),
      ("CFBundleShortVersionString", .string("$(MARKETING_VERSION)")),
      ("CFBundleVersion", .string("$(CURRENT_PROJECT_VERSION)")),
      ("Martlet", .dictionary(martlet)), ("NSAppTransportSecurity", .dictionary(security)),
      ("NSExtension", .dictionary(keys)),
    ]).document
  }

  private var groups: (String, XMLValue) {
    ("com.apple.security.application-groups", .array([.string(appGroup)]))
  }
  private var entitlements: String { XMLValue.dictionary([groups]).document }
  private var appEntitlements: String {
    XMLValue.dictionary([("aps-environment", .string("development")), groups]).document
  }
}

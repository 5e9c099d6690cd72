import Foundation

/// The files of one notification extension of an app.
struct ExtensionProject: Sendable {
  let kind: ExtensionKind
  let appName: String
  let bundleID: String
  let appGroup: String
  /// The categories to which the service extension is restricted.
  let categories: [String]
  /// The hosts from which media may be loaded over plain HTTP.
  let plainHosts: [String]
  /// The settings of the content extension.
  let content: ContentSettings
  /// The folder of the files, which is next to the app's project.
  let place: URL
  /// The location of Martlet, relative to the folder.
  var package = MartletPackage.beside
  /// The location of Martlet, relative to the parent of the folder.
  var packageFromApp = MartletPackage.beside
  /// The named tools that build the app.
  var tools: [BuildTool] = []
  /// The Xcode project to which the extension is added.
  var projectPath: String?

  /// The name of the folder.
  var folder: String { place.lastPathComponent }
  var target: String { kind.target }
  var extensionID: String { "\(bundleID).\(target)" }

  var files: [(name: String, text: String)] {
    var files = [
      (kind.source, source), ("Info.plist", infoPlist), (kind.entitlements, entitlements),
      ("App.entitlements", appEntitlements),
    ]
    let usesXcodeGen = tools.isEmpty ? projectPath == nil : tools.contains(.xcodegen)
    if usesXcodeGen { files.append(("project.yml", projectYAML)) }
    if tools.contains(.expo) { files.append((kind.plugin, expoPluginSource)) }
    return files + [("README.md", readme)]
  }

  private var source: String {
    let purpose =
      switch kind {
      case .service:
        """
        /// Fetches the media of notifications and attaches them. The settings are in Info.plist, under
        /// Martlet.
        """
      case .content:
        """
        /// Shows expanded notifications that have a template. It fetches nothing: the service extension
        /// prepares the media in the app group. The settings are in Info.plist, under Martlet.
        """
      }
    return """
      import \(kind.product)

      \(purpose)
      final class \(target): \(kind.superclass) {}

      """
  }

  private var infoPlist: String {
    var keys: [(String, XMLValue)] = [
      ("CFBundleDevelopmentRegion", .string("$(DEVELOPMENT_LANGUAGE)")),
      ("CFBundleDisplayName", .string(target)),
      ("CFBundleExecutable", .string("$(EXECUTABLE_NAME)")),
      ("CFBundleIdentifier", .string("$(PRODUCT_BUNDLE_IDENTIFIER)")),
      ("CFBundleInfoDictionaryVersion", .string("6.0")),
      ("CFBundleName", .string("$(PRODUCT_NAME)")),
      ("CFBundlePackageType", .string("$(PRODUCT_BUNDLE_PACKAGE_TYPE)")),
      ("CFBundleShortVersionString", .string("$(MARKETING_VERSION)")),
      ("CFBundleVersion", .string("$(CURRENT_PROJECT_VERSION)")),
    ]
    keys += kind == .service ? serviceKeys : contentKeys
    return XMLValue.dictionary(keys).document
  }

  private var serviceKeys: [(String, XMLValue)] {
    var martlet: [(String, XMLValue)] = [("AppGroup", .string(appGroup))]
    if !plainHosts.isEmpty { martlet.append(("AllowsPlainHTTP", .bool(true))) }
    var security: [(String, XMLValue)] = [("NSAllowsArbitraryLoads", .bool(false))]
    if !plainHosts.isEmpty {
      let allowed = XMLValue.dictionary([("NSExceptionAllowsInsecureHTTPLoads", .bool(true))])
      security.append(("NSExceptionDomains", .dictionary(plainHosts.map { ($0, allowed) })))
    }
    let attributes = categories.isEmpty ? [] : [names(categories)]
    return [
      ("Martlet", .dictionary(martlet)), ("NSAppTransportSecurity", .dictionary(security)),
      extensionKeys(attributes),
    ]
  }

  private var contentKeys: [(String, XMLValue)] {
    let prefix = "UNNotificationExtension"
    return [
      ("Martlet", .dictionary([("AppGroup", .string(appGroup))])),
      extensionKeys([
        names(content.categories), (prefix + "DefaultContentHidden", .bool(true)),
        (prefix + "InitialContentSizeRatio", .real(content.ratio)),
        (prefix + "UserInteractionEnabled", .bool(true)),
      ]),
    ]
  }

  private func names(_ categories: [String]) -> (String, XMLValue) {
    ("UNNotificationExtensionCategory", .array(categories.map(XMLValue.string)))
  }

  private func extensionKeys(_ attributes: [(String, XMLValue)]) -> (String, XMLValue) {
    var keys: [(String, XMLValue)] = [
      ("NSExtensionPointIdentifier", .string(kind.point)),
      ("NSExtensionPrincipalClass", .string("$(PRODUCT_MODULE_NAME).\(target)")),
    ]
    if !attributes.isEmpty { keys.append(("NSExtensionAttributes", .dictionary(attributes))) }
    return ("NSExtension", .dictionary(keys))
  }

  private var groups: (String, XMLValue) {
    ("com.apple.security.application-groups", .array([.string(appGroup)]))
  }
  private var entitlements: String { XMLValue.dictionary([groups]).document }
  private var appEntitlements: String {
    XMLValue.dictionary([("aps-environment", .string("development")), groups]).document
  }
}

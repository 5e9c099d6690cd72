import BundleDoctor
import BundleFixtures
import Foundation

extension RuleCase {
  static let extensionKeys: [RuleCase] = [
    RuleCase("point-identifier") {
      $0.service?.set(extensionKey: "NSExtensionPointIdentifier", nil)
    },
    RuleCase("point-identifier") {
      $0.service?.set(
        extensionKey: "NSExtensionPointIdentifier", "com.apple.usernotifications.Service")
    },
    RuleCase("point-identifier") { $0.service?.info["NSExtension"] = nil },
    RuleCase("storyboard") {
      $0.service?.set(extensionKey: "NSExtensionMainStoryboard", "MainInterface")
    },
    RuleCase("principal-class") { $0.service?.set(extensionKey: "NSExtensionPrincipalClass", nil) },
    RuleCase("principal-class") { $0.service?.set(extensionKey: "NSExtensionPrincipalClass", "") },
    RuleCase("principal-class") {
      $0.service?.set(extensionKey: "NSExtensionPrincipalClass", ["A.B"])
    },
    RuleCase("principal-class-module") {
      $0.service?.set(extensionKey: "NSExtensionPrincipalClass", "NotificationService")
    } good: {
      $0.service?.set(extensionKey: "NSExtensionPrincipalClass", "NotificationService")
      $0.service?.code?.classNames = ["NotificationService"]
    },
    RuleCase("principal-class-unknown") {
      $0.service?.set(extensionKey: "NSExtensionPrincipalClass", "Old.NotificationService")
    } good: {
      $0.service?.set(extensionKey: "NSExtensionPrincipalClass", "Kit.Service")
      $0.service?.code?.libraries = ["@rpath/Kit.framework/Kit"]
      $0.app.files["Frameworks/Kit.framework/Kit"] = Data([0])
    },
    RuleCase("principal-class-unknown") {
      $0.service?.code?.classNames = []
    } good: {
      $0.service?.code?.classNames = []
      $0.service?.code?.isEncrypted = true
    },
    RuleCase("category-place") {
      $0.service?.info[category] = "news"
    } good: {
      $0.service?.set(extensionKey: "NSExtensionAttributes", .dictionary([category: "news"]))
    },
    RuleCase("category-place") { $0.service?.set(extensionKey: category, "news") },
    RuleCase("category-type") {
      $0.service?.set(extensionKey: "NSExtensionAttributes", .dictionary([category: 1]))
    } good: {
      $0.service?.set(
        extensionKey: "NSExtensionAttributes", .dictionary([category: ["news", "sport"]]))
    },
    RuleCase("category-type") {
      $0.service?.set(extensionKey: "NSExtensionAttributes", .dictionary([category: ["a", 1]]))
    },
  ]

  static let martlet: [RuleCase] = [
    RuleCase("martlet-unknown-key") {
      $0.service?.info["Martlet"] = ["deadline": 20]
    } good: {
      $0.service?.info["Martlet"] = [
        "Deadline": 29, "AllowsPrivateAddresses": true, "AllowedHosts": ["*.example.com"],
        "LowDataMode": "smaller", "MediaKeys": ["data.picture"], "DisabledDialects": ["sailthru"],
        "AppGroup": "group.com.example.app",
      ]
    },
    RuleCase("martlet-value") {
      $0.service?.info["Martlet"] = ["Deadline": 30]
    } good: {
      $0.service?.info["Martlet"] = ["Deadline": 1]
    },
    RuleCase("martlet-value") { $0.service?.info["Martlet"] = ["AllowsPlainHTTP": "YES"] },
    RuleCase("martlet-value") { $0.service?.info["Martlet"] = ["DisabledDialects": ["nobody"]] },
    RuleCase("martlet-value") { $0.service?.info["Martlet"] = ["LowDataMode": "off"] },
    RuleCase("martlet-value") { $0.service?.info["Martlet"] = "yes" },
    RuleCase("martlet-app-group") {
      $0.service?.info["Martlet"] = ["AppGroup": "group.other"]
    } good: {
      $0.service?.info["Martlet"] = ["AppGroup": "group.com.example.app"]
    },
  ]

  static let transport: [RuleCase] = [
    RuleCase("ats-app-only") {
      $0.app.info["NSAppTransportSecurity"] = ["NSAllowsArbitraryLoads": true]
    } good: {
      $0.app.info["NSAppTransportSecurity"] = plainHost
      $0.service?.info["NSAppTransportSecurity"] = plainHost
    },
    RuleCase("ats-app-only") { $0.app.info["NSAppTransportSecurity"] = plainHost },
    RuleCase("ats-arbitrary-loads") {
      $0.service?.info["NSAppTransportSecurity"] = ["NSAllowsArbitraryLoads": true]
    } good: {
      $0.service?.info["NSAppTransportSecurity"] = plainHost
    },
    RuleCase("plain-http") {
      $0.service?.info["Martlet"] = ["AllowsPlainHTTP": true]
    } good: {
      $0.service?.info["Martlet"] = ["AllowsPlainHTTP": true]
      $0.service?.info["NSAppTransportSecurity"] = plainHost
    },
    // A finer key makes the system ignore the broad one.
    RuleCase("plain-http") {
      $0.service?.info["Martlet"] = ["AllowsPlainHTTP": true]
      $0.service?.info["NSAppTransportSecurity"] = [
        "NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsForMedia": false,
      ]
    } good: {
      $0.service?.info["Martlet"] = ["AllowsPlainHTTP": true]
      $0.service?.info["NSAppTransportSecurity"] = [
        "NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": true,
      ]
    },
    RuleCase("remote-notification") {
      $0.app.info["UIBackgroundModes"] = ["audio"]
    } good: {
      $0.app.info["UIBackgroundModes"] = ["audio", "remote-notification"]
    },
  ]

  private static let plainHost: PropertyList = [
    "NSExceptionDomains": ["media.example.com": ["NSExceptionAllowsInsecureHTTPLoads": true]]
  ]
}

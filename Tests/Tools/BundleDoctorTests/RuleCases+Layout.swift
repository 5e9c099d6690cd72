import BundleDoctor
import BundleFixtures
import Foundation
import Testing

extension RuleCase {
  static let embedding: [RuleCase] = [
    RuleCase("no-app") {
      $0.container = .ipa
      $0.files["Payload/Other.app/Info.plist"] = Data()
    } good: {
      $0.container = .ipa
      $0.files["Payload/readme.txt"] = Data()
    },
    RuleCase("no-service-extension") {
      $0.service?.set(extensionKey: "NSExtensionPointIdentifier", "com.apple.share-services")
      $0.service?.set(extensionKey: "NSExtensionPrincipalClass", "Share.Controller")
      $0.extensions = ["PlugIns/Share.appex": $0.service].compactMapValues(\.self)
    } good: {
      $0.extensions["PlugIns/Share.appex"] = .other("Share", point: "com.apple.share-services")
    },
    RuleCase("extension-misplaced") {
      $0.extensions["Frameworks/Service.appex"] = .other("Service", point: "com.apple.x")
    } good: {
      $0.extensions["Watch/W.app/PlugIns/Service.appex"] = .other("Service", point: "com.apple.x")
    },
    RuleCase("extension-misplaced") {
      $0.extensions["Extensions/NotificationService.appex"] = $0.service
      $0.service = nil
    } good: {
      // An ExtensionKit extension belongs there.
      var intents = BundleLayout.other("Intents", point: "com.apple.x")
      intents.info["NSExtension"] = nil
      intents.info["EXAppExtensionAttributes"] = [
        "EXExtensionPointIdentifier": "com.apple.appintents-extension"
      ]
      $0.extensions["Extensions/Intents.appex"] = intents
    },
    RuleCase("extension-misplaced") {
      $0.extensions["Extensions/Share.appex"] = .other("Share", point: "com.apple.share-services")
    },
    RuleCase("several-service-extensions") {
      $0.extensions["PlugIns/Other.appex"] = .other(
        "Other", point: "com.apple.usernotifications.service")
    } good: {
      $0.extensions["PlugIns/Content.appex"] = .other(
        "Content", point: "com.apple.usernotifications.content-extension")
    },
    RuleCase("nested-frameworks") {
      $0.service?.files["Frameworks/Some.framework/Some"] = Data([0])
    } good: {
      $0.app.files["Frameworks/Some.framework/Some"] = Data([0])
    },
    RuleCase("framework-not-found") {
      $0.service?.code?.libraries = ["@rpath/Some.framework/Some"]
    } good: {
      $0.service?.code?.libraries = ["@rpath/Some.framework/Some", "@rpath/libswiftCore.dylib"]
      $0.app.files["Frameworks/Some.framework/Some"] = Data([0])
    },
    RuleCase("framework-not-found") {
      $0.service?.code?.libraries = ["@rpath/Some.framework/Some"]
      $0.app.files["Frameworks/Some.framework/Some"] = Data([0])
      $0.service?.code?.searchPaths = ["@executable_path/Frameworks"]
    } good: {
      $0.service?.code?.libraries = ["/System/Library/Frameworks/Foundation.framework/Foundation"]
    },
    RuleCase("app-not-seen") { $0.container = .appex },
    RuleCase("other-extension") {
      $0.container = .appex
      $0.service?.set(extensionKey: "NSExtensionPointIdentifier", "com.apple.share-services")
    } good: {
      $0.extensions["PlugIns/Share.appex"] = .other("Share", point: "com.apple.share-services")
    },
  ]

  static let identity: [RuleCase] = [
    RuleCase("info-plist") {
      $0.service?.info["CFBundleIdentifier"] = nil
    } good: {
      $0.service?.infoFormat = .xml
    },
    RuleCase("unresolved-variable") {
      $0.service?.set(
        extensionKey: "NSExtensionPrincipalClass", "$(PRODUCT_MODULE_NAME).NotificationService")
    } good: {
      $0.service?.info["Note"] = "costs $ (US)"
    },
    RuleCase("package-type") { $0.service?.info["CFBundlePackageType"] = "APPL" },
    RuleCase("package-type") { $0.app.info["CFBundlePackageType"] = nil },
    RuleCase("bundle-id-prefix") {
      $0.rename("com.example.application.Service")
    } good: {
      $0.rename("com.example.app.a.b")
    },
    RuleCase("bundle-id-prefix") { $0.rename("com.other.Service") },
    RuleCase("bundle-id-duplicate") { $0.rename("com.example.app") },
    RuleCase("version-mismatch") {
      $0.service?.info["CFBundleVersion"] = "8"
    } good: {
      $0.service?.info["CFBundleVersion"] = "8"
      $0.app.info["CFBundleVersion"] = "8"
    },
    RuleCase("version-mismatch") { $0.service?.info["CFBundleShortVersionString"] = nil },
  ]

  static let executable: [RuleCase] = [
    RuleCase("executable") { $0.service?.code = nil },
    RuleCase("executable") { $0.service?.info["CFBundleExecutable"] = nil },
    RuleCase("executable") {
      $0.service?.files["NotificationService"] = Data("#!/bin/sh".utf8)
      $0.service?.code = nil
    },
    RuleCase("architecture") {
      $0.service?.code?.architectures = ["armv7"]
    } good: {
      $0.service?.code?.architectures = ["arm64", "arm64e"]
    },
    RuleCase("architecture") { $0.app.code?.architectures = ["arm64", "arm64e"] },
    RuleCase("minimum-os-version") {
      $0.service?.info["MinimumOSVersion"] = nil
    } good: {
      $0.service?.info["MinimumOSVersion"] = "16"
    },
    RuleCase("minimum-os-version") { $0.app.info["MinimumOSVersion"] = 16 },
    RuleCase("minimum-os-version") { $0.app.info["MinimumOSVersion"] = "iOS 16" },
    RuleCase("deployment-target") {
      $0.service?.info["MinimumOSVersion"] = "18.2"
      $0.service?.code?.minimumSystem = (18, 2)
    } good: {
      $0.service?.info["MinimumOSVersion"] = "15.0"
      $0.service?.code?.minimumSystem = (15, 0)
    },
    RuleCase("deployment-target") { $0.service?.code?.minimumSystem = (16, 1) },
    RuleCase("deployment-target-high") {
      $0.container = .appex
      $0.service?.code?.minimumSystem = (26, 0)
    } good: {
      $0.container = .appex
    },
    RuleCase("simulator-build") {
      $0.app.code?.platform = 7
      $0.service?.code?.platform = 7
    },
  ]
}

extension BundleLayout {
  /// Another extension of the good app.
  static func other(_ name: String, point: PropertyList) -> BundleLayout {
    var bundle = AppLayout.good.service
    bundle?.info["CFBundleIdentifier"] = .string("com.example.app." + name)
    bundle?.set(extensionKey: "NSExtensionPointIdentifier", point)
    bundle?.set(extensionKey: "NSExtensionPrincipalClass", "Other.Other")
    bundle?.code?.classNames = ["_TtC5Other5Other"]
    bundle?.code?.signature?.identifier = "com.example.app." + name
    let id = PropertyList.string("TEAM123456.com.example.app." + name)
    bundle?.claim("application-identifier", id)
    return bundle ?? BundleLayout(info: [:], code: nil, profile: nil)
  }
}

extension AppLayout {
  /// Gives the extension another bundle id, everywhere.
  mutating func rename(_ id: String) {
    service?.info["CFBundleIdentifier"] = .string(id)
    service?.code?.signature?.identifier = id
    service?.claim("application-identifier", .string("TEAM123456." + id))
  }
}

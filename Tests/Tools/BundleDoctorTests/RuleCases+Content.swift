import BundleDoctor
import BundleFixtures
import Foundation

extension RuleCase {
  private static let path = "PlugIns/NotificationContent.appex"

  /// A case whose layout also has a content extension, which is good before it is changed.
  private static func content(
    _ code: String, bad: @escaping @Sendable (inout BundleLayout) -> Void,
    good: @escaping @Sendable (inout BundleLayout) -> Void = { _ in }
  ) -> RuleCase {
    RuleCase(code) { layout in
      layout.extensions[path] = changed(bad)
    } good: { layout in
      layout.extensions[path] = changed(good)
    }
  }

  private static func changed(_ change: (inout BundleLayout) -> Void) -> BundleLayout {
    var bundle = BundleLayout.content
    change(&bundle)
    return bundle
  }

  static let content: [RuleCase] = [
    content("content-class") {
      $0.set(extensionKey: "NSExtensionPrincipalClass", nil)
    } good: {
      $0.set(extensionKey: "NSExtensionPrincipalClass", nil)
      $0.set(extensionKey: "NSExtensionMainStoryboard", "MainInterface")
      $0.files["Base.lproj/MainInterface.storyboardc/Info.plist"] = Data()
    },
    content("content-class") { $0.set(extensionKey: "NSExtensionPrincipalClass", "") },
    content("content-storyboard") {
      $0.set(extensionKey: "NSExtensionMainStoryboard", "Interface")
      $0.files["Base.lproj/MainInterface.storyboardc/Info.plist"] = Data()
    } good: {
      $0.set(extensionKey: "NSExtensionMainStoryboard", "MainInterface")
      $0.files["MainInterface.storyboardc/Info.plist"] = Data()
    },
    content("content-key-place") {
      $0.set(attribute: category, nil)
      $0.info[category] = "expanded"
    } good: {
      // A copy elsewhere does no harm.
      $0.info[category] = "other"
    },
    content("content-key-place") {
      $0.set(attribute: "UNNotificationExtensionInitialContentSizeRatio", nil)
      $0.set(extensionKey: "UNNotificationExtensionInitialContentSizeRatio", .real(0.5))
    },
    content("content-unknown-key") {
      $0.set(attribute: "UNNotificationExtensionDefaultContentHiden", true)
    } good: {
      $0.set(attribute: "UNNotificationExtensionDefaultContentHidden", true)
      $0.set(attribute: "NSExtensionActivationRule", true)
    },
    content("content-unknown-key") { $0.set(attribute: "UNNotificationExtensionFuture", 1) },
    content("content-category") {
      $0.set(attribute: category, nil)
    } good: {
      $0.set(attribute: category, ["expanded", "CTNotification"])
    },
    content("content-category") { $0.set(attribute: category, ["expanded", ""]) },
    content("content-category") { $0.set(attribute: category, 1) },
    RuleCase("content-category-shared") { layout in
      layout.extensions[path] = .content
      layout.extensions["PlugIns/Vendor.appex"] = changed {
        $0.info["CFBundleIdentifier"] = "com.example.app.Vendor"
        $0.set(attribute: category, ["a", "expanded"])
      }
    } good: { layout in
      layout.extensions[path] = .content
      layout.extensions["PlugIns/Vendor.appex"] = changed {
        $0.info["CFBundleIdentifier"] = "com.example.app.Vendor"
        $0.set(attribute: category, ["a", "b"])
      }
    },
    content("content-category-case") {
      $0.set(attribute: category, "CTnotification")
    } good: {
      $0.set(attribute: category, "CTNotification")
    },
    RuleCase("content-category-case") { layout in
      layout.service?.set(
        extensionKey: "NSExtensionAttributes", .dictionary([category: "Expanded"]))
      layout.extensions[path] = .content
    },
    content("content-ratio") {
      $0.set(attribute: "UNNotificationExtensionInitialContentSizeRatio", nil)
    } good: {
      // A vendor's guide has 0, for a height that is not known before.
      $0.set(attribute: "UNNotificationExtensionInitialContentSizeRatio", 0)
    },
    content("content-ratio") {
      $0.set(attribute: "UNNotificationExtensionInitialContentSizeRatio", "0.8")
    },
    content("content-ratio") {
      $0.set(attribute: "UNNotificationExtensionInitialContentSizeRatio", -1)
    },
    content("content-flag") {
      $0.set(attribute: "UNNotificationExtensionDefaultContentHidden", "YES")
    } good: {
      $0.set(attribute: "UNNotificationExtensionDefaultContentHidden", false)
    },
    content("content-touches") {
      $0.set(attribute: "UNNotificationExtensionUserInteractionEnabled", nil)
    } good: {
      // A view of the app's own may have no use for touches.
      $0.set(attribute: "UNNotificationExtensionUserInteractionEnabled", nil)
      $0.set(extensionKey: "NSExtensionPrincipalClass", "NotificationContent.Own")
      $0.code?.classNames = ["_TtC19NotificationContent3Own"]
    },
    RuleCase("content-app-group") { layout in
      layout.service?.info["Martlet"] = ["AppGroup": "group.com.example.app"]
      layout.extensions[path] = .content
    } good: { layout in
      layout.service?.info["Martlet"] = ["AppGroup": "group.com.example.app"]
      layout.extensions[path] = changed {
        $0.info["Martlet"] = ["AppGroup": "group.com.example.app"]
      }
    },
  ]
}

extension BundleLayout {
  /// A content extension without a fault, which shows templates.
  fileprivate static let content: BundleLayout = {
    var bundle = BundleLayout.other(
      "NotificationContent", point: "com.apple.usernotifications.content-extension")
    bundle.set(extensionKey: "NSExtensionPrincipalClass", "RichContentViewController")
    bundle.code?.classNames = ["RichContentViewController"]
    bundle.set(attribute: RuleCase.category, "expanded")
    bundle.set(attribute: "UNNotificationExtensionInitialContentSizeRatio", .real(0.8))
    bundle.set(attribute: "UNNotificationExtensionUserInteractionEnabled", true)
    return bundle
  }()

  /// Changes a key of `NSExtensionAttributes`.
  fileprivate mutating func set(attribute key: String, _ value: PropertyList?) {
    var keys = info["NSExtension"]?["NSExtensionAttributes"]?.dictionary ?? [:]
    keys[key] = value
    set(extensionKey: "NSExtensionAttributes", .dictionary(keys))
  }
}

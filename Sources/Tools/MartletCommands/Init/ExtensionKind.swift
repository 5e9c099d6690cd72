import BundleDoctor

/// One of the two extensions that `martlet init` writes; the raw value is the name of its target and module.
enum ExtensionKind: String, CaseIterable, Sendable {
  case service = "NotificationService"
  case content = "NotificationContent"

  var target: String { rawValue }

  var noun: String { self == .service ? "service extension" : "content extension" }

  /// The name of Xcode's template for such a target.
  var template: String {
    self == .service ? "Notification Service Extension" : "Notification Content Extension"
  }

  /// The product of Martlet's package that the target links.
  var product: String { self == .service ? "RichNotifications" : "RichNotificationContent" }

  /// The superclass of the target's class, from Martlet's product.
  var superclass: String {
    self == .service ? "RichNotificationService" : "RichContentViewController"
  }

  /// The `NSExtensionPointIdentifier` of such an extension.
  var point: String {
    self == .service
      ? "com.apple.usernotifications.service" : "com.apple.usernotifications.content-extension"
  }

  var source: String { "\(target).swift" }
  var entitlements: String { "\(target).entitlements" }
  var plugin: String { "with\(target).js" }

  /// Words that other tools use in the names of such targets, in lowercase letters.
  var usualWords: [String] {
    self == .service
      ? ["notificationservice", "serviceextension"] : ["notificationcontent", "contentextension"]
  }
}

/// An extension that an app already has, according to its Info.plist.
struct PresentExtension: Sendable {
  let name: String
  let info: [String: PropertyList]?

  /// The app group in which media are prepared.
  var appGroup: String? {
    info?["Martlet"]?["AppGroup"]?.string.flatMap { $0.contains("$") ? nil : $0 }
  }

  var categories: [String] {
    let keys = info?["NSExtension"]?["NSExtensionAttributes"]
    let value = keys?["UNNotificationExtensionCategory"]
    return value?.strings ?? value?.string.map { [$0] } ?? []
  }
}

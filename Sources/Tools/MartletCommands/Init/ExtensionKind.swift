import BundleDoctor

/// One of the two extensions that `martlet init` writes, by the name of its target and module.
enum ExtensionKind: String, CaseIterable, Sendable {
  case service = "NotificationService"
  case content = "NotificationContent"

  var target: String { rawValue }

  var noun: String { self == .service ? "service extension" : "content extension" }

  /// What the template of a new target is called in Xcode.
  var template: String {
    self == .service ? "Notification Service Extension" : "Notification Content Extension"
  }

  /// The product of Martlet's package that the target links.
  var product: String { self == .service ? "RichNotifications" : "RichNotificationContent" }

  /// The class in Martlet's product from which the target's inherits.
  var superclass: String {
    self == .service ? "RichNotificationService" : "RichContentViewController"
  }

  /// `NSExtensionPointIdentifier` of such an extension.
  var point: String {
    self == .service
      ? "com.apple.usernotifications.service" : "com.apple.usernotifications.content-extension"
  }

  var source: String { "\(target).swift" }
  var entitlements: String { "\(target).entitlements" }
  var plugin: String { "with\(target).js" }

  /// The words of which one is in the name of other tools' targets of this kind, in lowercase letters.
  var usualWords: [String] {
    self == .service
      ? ["notificationservice", "serviceextension"] : ["notificationcontent", "contentextension"]
  }
}

/// An extension that an app has already, as far as its Info.plist says.
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

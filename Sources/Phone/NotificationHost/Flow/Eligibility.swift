import UserNotifications

/// The decision whether the service extension runs for a push, with the rule that made it.
struct Eligibility {
  var runs: Bool
  var rule: HostRule
  var reason: String

  init(_ message: PushMessage, _ building: RequestBuilding, app: AppState, behavior: HostBehavior) {
    let filters = app.filters(message)
    let enforces = message.enforcesPushType(behavior)
    let verdict: (HostRule, String)? =
      if !building.flags.mutableContent {
        (.mutableContent, "aps.mutable-content is not 1")
      } else if !building.content.hasAlertText, !filters {
        (.alertRequired, "aps.alert has no title, subtitle or body")
      } else if enforces, message.pushType != "alert" {
        (.pushType, "apns-push-type is \(message.pushType ?? "absent"), not alert")
      } else if !app.settings.showsAlerts, !(filters && app.settings.allowsAny) {
        (.alertSettings, "alerts are off in the app's settings")
      } else if !app.hasExtension {
        (.extensionPresent, "the app has no notification service extension")
      } else if behavior.categoryGatesServiceExtension, !app.extensionCategories.isEmpty,
        !app.extensionCategories.contains(building.content.categoryIdentifier)
      {
        (.categoryGate, "the category is not in the extension's UNNotificationExtensionCategory")
      } else {
        nil
      }
    runs = verdict == nil
    (rule, reason) = verdict ?? (.mutableContent, "the extension runs")
  }
}

/// The system's state of the app.
struct AppState: Sendable {
  var settings: NotificationSettings
  var entitlements: Entitlements
  var extensionCategories: [String]
  var hasExtension: Bool
  var isRegistered: Bool
  var receivesBackgroundPushes: Bool

  init(_ app: VirtualPhone.App, hasExtension: Bool) {
    settings = app.settings
    entitlements = app.entitlements
    extensionCategories = app.extensionCategories
    isRegistered = app.isRegistered
    receivesBackgroundPushes = app.receivesBackgroundPushes
    self.hasExtension = hasExtension
  }

  /// Whether the extension may suppress this push (rule `filtering-push-type`).
  func filters(_ message: PushMessage) -> Bool {
    entitlements.filtering && message.pushType == "alert"
  }

  /// The reason why a push is not accepted (rule `acceptance`); `nil` if it is accepted.
  func refusal(of building: RequestBuilding) -> String? {
    if !isRegistered { return "the app is not registered for remote notifications" }
    if settings.allowsAny { return nil }
    if building.flags.contentAvailable, receivesBackgroundPushes { return nil }
    return "notifications are off in the app's settings"
  }
}

extension PushMessage {
  /// Whether the push type is taken into account.
  func enforcesPushType(_ behavior: HostBehavior) -> Bool {
    if behavior.requiresPushType { return true }
    return behavior.enforcesPushType && (pushType == "alert" || pushType == "background")
  }
}

/// Whether the service extension runs for a message, and if not, why (docs/ios-model.md, rules 3 to 5).
struct Eligibility {
  var runs: Bool
  var reason: String

  init(
    flags: RequestBuilding.Flags, hasAlertText: Bool, pushType: String?,
    settings: NotificationSettings, category: String, extensionCategories: [String],
    hasExtension: Bool, behavior: HostBehavior
  ) {
    let isEnforced = behavior.enforcesPushType && (pushType == "alert" || pushType == "background")
    let why: String? =
      if !flags.mutableContent {
        "aps.mutable-content is not 1"
      } else if !hasAlertText {
        "the alert has no title, subtitle or body"
      } else if isEnforced, pushType != "alert" {
        "apns-push-type is \(pushType ?? "absent"), not alert"
      } else if !settings.showsAlerts {
        "alerts are off in the app's settings"
      } else if !hasExtension {
        "the app has no service extension"
      } else if behavior.categoryGatesServiceExtension, !extensionCategories.isEmpty,
        !extensionCategories.contains(category)
      {
        "the category is not one of the extension's"
      } else {
        nil
      }
    runs = why == nil
    reason = why ?? "the extension runs"
  }
}

import UserNotifications

/// What a phone with some settings does with a push, as far as it follows before the service extension runs.
///
/// It uses the same rules as ``VirtualPhone``, for an app that is registered and has an extension.
package struct DeliveryForecast: Hashable, Sendable {
  /// The outcome of the push, if an extension that runs delivers content with a text.
  package let outcome: DeliveryReport.Outcome
  /// The rule that decides the outcome.
  package let rule: HostRule
  /// The reason for the outcome, in words.
  package let reason: String
  /// The rule that keeps the extension from running; `nil` if it runs.
  package private(set) var extensionRule: HostRule?
  /// The reason why the extension does not run; `nil` if it runs.
  package private(set) var extensionReason: String?
  /// The interruption level of the notification: `passive`, `active`, `time-sensitive` or `critical`.
  package private(set) var interruptionLevel = "active"

  package init(of message: PushMessage, settings: NotificationSettings) {
    let behavior = HostBehavior()
    guard PushDestination(message.pushType) == nil else {
      (outcome, rule) = (.notDisplayed, .pushType)
      reason = "a push of type \(message.pushType ?? "") is not a notification"
      (extensionRule, extensionReason) = (.pushType, reason)
      return
    }
    guard let building = RequestBuilding(message.payload) else {
      (outcome, rule) = (.dropped, .usablePayload)
      reason = "aps has no text, badge, sound or content-available"
      (extensionRule, extensionReason) = (rule, reason)
      return
    }
    interruptionLevel = ShownContent(building.content, requestIdentifier: "").interruptionLevel
    let app = AppState(settings: settings)
    if let refusal = app.refusal(of: building) {
      (outcome, rule, reason) = (.notDisplayed, .acceptance, refusal)
      (extensionRule, extensionReason) = (rule, reason)
      return
    }
    let eligibility = Eligibility(message, building, app: app, behavior: behavior)
    if !eligibility.runs {
      (extensionRule, extensionReason) = (eligibility.rule, eligibility.reason)
    }
    let reply: OutcomeTable.Reply =
      eligibility.runs ? .content(hasText: true) : .notRun(eligibility.reason)
    var table = OutcomeTable(reply, filters: false, behavior: behavior)
    table.restrict(
      hasText: building.content.hasAlertText,
      isBackground: message.enforcesPushType(behavior) && message.pushType == "background",
      showsAlerts: settings.showsAlerts)
    (outcome, rule, reason) = (table.outcome, table.rule, table.reason)
  }
}

extension AppState {
  /// The state of a registered app with an extension and without special entitlements.
  fileprivate init(settings: NotificationSettings) {
    self.settings = settings
    entitlements = Entitlements()
    extensionCategories = []
    hasExtension = true
    isRegistered = true
    receivesBackgroundPushes = true
  }
}

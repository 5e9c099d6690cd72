#if canImport(UserNotifications) && !os(tvOS)
  public import UserNotifications
  import Foundation
  import PushPayload

  extension PushDevice {
    /// Records a person's response to a notification.
    ///
    /// Call it in the delegate of the notification center, before the completion handler, unless
    /// ``installDelegate(next:)`` made the delegate.
    ///
    /// - Parameter response: The response.
    /// - Returns: The tap, which ``openings`` delivers too; `nil` if the notification is not of this server, or was dismissed.
    @discardableResult
    public func recordOpening(_ response: UNNotificationResponse) -> Opening? {
      let request = response.notification.request
      let isTap = response.actionIdentifier == UNNotificationDefaultActionIdentifier
      return recordOpening(
        payload: JSONValue(userInfo: request.content.userInfo), request: request.identifier,
        action: isTap ? nil : NotificationAction(rawValue: response.actionIdentifier),
        text: (response as? UNTextInputNotificationResponse)?.userText)
    }

    /// Records that a notification was shown while the app was in the foreground.
    ///
    /// - Parameter notification: The notification.
    /// - Returns: Whether it is one of this server.
    @discardableResult
    public func recordPresentation(_ notification: UNNotification) -> Bool {
      recordPresentation(payload: JSONValue(userInfo: notification.request.content.userInfo))
    }

    /// Asks the person to allow notifications, and tells the server the answer.
    ///
    /// ```swift
    /// let isAllowed = try await push.requestPermission([.alert, .badge, .sound])
    /// ```
    ///
    /// - Parameter options: The options to ask for; with `.provisional` nobody is asked, and pushes are quiet.
    /// - Returns: Whether notifications are allowed.
    /// - Throws: ``PushError`` with the code ``PushError/Code/system`` and the notification center's error.
    public func requestPermission(
      _ options: UNAuthorizationOptions
    ) async throws(PushError) -> Bool {
      let isAllowed: Bool
      do {
        isAllowed = try await UNUserNotificationCenter.current().requestAuthorization(
          options: options)
      } catch {
        throw PushError(.system, "the permission cannot be asked for", cause: error)
      }
      await refreshPermission()
      return isAllowed
    }

    /// Tells the server whether the person allows notifications now.
    ///
    /// Apple does not report changes in Settings, so call it when a scene becomes active.
    public func refreshPermission() async {
      let settings = await Self.settings()
      reportPermission(Permission(settings))
      reportSettings(settings.members)
    }

    /// Sets the number on the app's icon, and tells it to the server and to the service extension.
    ///
    /// - Parameter number: The number; 0 removes it.
    /// - Throws: ``PushError`` with the code ``PushError/Code/system`` and the notification center's error.
    @available(watchOS, unavailable)
    public func setBadge(_ number: Int) async throws(PushError) {
      do {
        try await UNUserNotificationCenter.current().setBadgeCount(number)
      } catch {
        throw PushError(.system, "the number on the icon cannot be set", cause: error)
      }
      reportBadge(number)
    }

    private static func settings() async -> SettingsSummary {
      // The closure is called on a queue of the system's, so it must not be one of an actor.
      await withCheckedContinuation { continuation in
        UNUserNotificationCenter.current().getNotificationSettings { @Sendable settings in
          continuation.resume(returning: SettingsSummary(settings))
        }
      }
    }
  }

  /// The settings that decide the permission.
  private struct SettingsSummary: Sendable {
    let status: UNAuthorizationStatus
    /// Whether notifications go to Notification Center alone.
    let isListOnly: Bool
    /// The settings in the form of the server's API; one that the phone does not have is left out.
    let members: [String: JSONValue]

    init(_ settings: UNNotificationSettings) {
      status = settings.authorizationStatus
      var isShown = settings.alertSetting == .enabled || settings.soundSetting == .enabled
      #if !os(watchOS)
        if settings.lockScreenSetting == .enabled { isShown = true }
      #endif
      isListOnly = settings.notificationCenterSetting == .enabled && !isShown
      members = Self.members(settings)
    }

    private static func members(_ settings: UNNotificationSettings) -> [String: JSONValue] {
      var values: [String: UNNotificationSetting] = [
        "alerts": settings.alertSetting, "sounds": settings.soundSetting,
        "notification_center": settings.notificationCenterSetting,
        "scheduled_summary": settings.scheduledDeliverySetting,
        "time_sensitive": settings.timeSensitiveSetting,
      ]
      #if !os(watchOS)
        values["badges"] = settings.badgeSetting
        values["lock_screen"] = settings.lockScreenSetting
      #endif
      var members = values.filter { $0.value != .notSupported }
        .mapValues { JSONValue.bool($0 == .enabled) }
      members["authorization"] = word(settings.authorizationStatus).map(JSONValue.string)
      return members
    }

    private static func word(_ status: UNAuthorizationStatus) -> String? {
      switch status {
      case .notDetermined: "not_determined"
      case .denied: "denied"
      case .authorized: "authorized"
      case .provisional: "provisional"
      default: status.rawValue == 4 ? "ephemeral" : nil
      }
    }
  }

  extension Permission {
    fileprivate init(_ settings: SettingsSummary) {
      switch settings.status {
      case .notDetermined: self = .notDetermined
      case .denied: self = .denied
      case .provisional: self = .quiet
      default: self = settings.isListOnly ? .quiet : .allowed
      }
    }
  }
#endif

import Foundation
import UserNotifications

/// The notification code of a typical app: a file of an iOS project, in Swift 5, which must compile unchanged.
public class AppDelegate: NSObject {
  public private(set) var log: [String] = []
  public lazy var center = UNUserNotificationCenter.current()

  public func didFinishLaunching() {
    center.delegate = self
    registerCategories()
    center.requestAuthorization(options: [.alert, .badge, .sound, .provisional]) { granted, error in
      if let error = error { print(error.localizedDescription) }
      guard granted else { return }
    }
    center.getNotificationSettings { settings in
      switch settings.authorizationStatus {
      case .notDetermined, .denied: break
      case .authorized, .provisional, .ephemeral:
        if settings.soundSetting == .enabled && settings.badgeSetting != .disabled {}
        if settings.alertSetting == .notSupported || settings.alertStyle == .none {}
        if settings.showPreviewsSetting == .whenAuthenticated {}
        _ = [
          settings.notificationCenterSetting, settings.lockScreenSetting, settings.carPlaySetting,
          settings.criticalAlertSetting, settings.announcementSetting,
          settings.timeSensitiveSetting, settings.scheduledDeliverySetting,
          settings.directMessagesSetting,
        ]
        _ = settings.providesAppNotificationSettings
      @unknown default: break
      }
    }
  }

  func registerCategories() {
    let reply = UNTextInputNotificationAction(
      identifier: "REPLY", title: "Reply", options: [], textInputButtonTitle: "Send",
      textInputPlaceholder: "Message")
    let open = UNNotificationAction(identifier: "OPEN", title: "Open", options: [.foreground])
    let delete = UNNotificationAction(
      identifier: "DELETE", title: "Delete", options: [.destructive, .authenticationRequired],
      icon: UNNotificationActionIcon(systemImageName: "trash"))
    let message = UNNotificationCategory(
      identifier: "MESSAGE", actions: [reply, open, delete], intentIdentifiers: [],
      hiddenPreviewsBodyPlaceholder: "Message", options: .customDismissAction)
    let news = UNNotificationCategory(
      identifier: "NEWS", actions: [open], intentIdentifiers: [],
      hiddenPreviewsBodyPlaceholder: nil, categorySummaryFormat: "%u more",
      options: [.hiddenPreviewsShowTitle, .hiddenPreviewsShowSubtitle])
    let plain = UNNotificationCategory(
      identifier: "PLAIN", actions: [], intentIdentifiers: [], options: [.allowInCarPlay])
    center.setNotificationCategories([message, news, plain])
    center.getNotificationCategories { categories in _ = categories.map { $0.identifier } }
  }

  public static func content() -> UNMutableNotificationContent {
    let content = UNMutableNotificationContent()
    content.title = "Table for two"
    content.subtitle = "Tonight"
    content.body = "At eight"
    content.badge = 3
    content.sound = UNNotificationSound(named: UNNotificationSoundName("bell.caf"))
    content.sound = .default
    content.userInfo = ["id": 7, "tags": ["a", "b"]]
    content.categoryIdentifier = "MESSAGE"
    content.threadIdentifier = "table"
    content.launchImageName = "launch"
    content.targetContentIdentifier = "scene"
    content.interruptionLevel = .timeSensitive
    content.relevanceScore = 0.5
    content.filterCriteria = "work"
    return content
  }

  public func scheduleAll() async throws {
    guard try await center.requestAuthorization(options: [.alert, .sound]) else { return }
    var eight = DateComponents()
    eight.hour = 8
    let triggers: [UNNotificationTrigger?] = [
      nil, UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true),
      UNCalendarNotificationTrigger(dateMatching: eight, repeats: true),
    ]
    for (index, trigger) in triggers.enumerated() {
      let request = UNNotificationRequest(
        identifier: "\(index)", content: Self.content(), trigger: trigger)
      try await center.add(request)
    }
    for request in await center.pendingNotificationRequests() {
      if let trigger = request.trigger as? UNCalendarNotificationTrigger {
        log.append("\(trigger.dateComponents.hour ?? -1) \(trigger.nextTriggerDate() != nil)")
      }
    }
    log += await center.deliveredNotifications().map { $0.request.identifier }
    center.removePendingNotificationRequests(withIdentifiers: ["1"])
    center.removeAllPendingNotificationRequests()
    center.removeDeliveredNotifications(withIdentifiers: ["0"])
    center.removeAllDeliveredNotifications()
    try await center.setBadgeCount(0)
    _ = await center.notificationSettings().authorizationStatus
    _ = await center.notificationCategories().count
    _ = center.supportsContentExtensions
  }

  public func schedule(_ request: UNNotificationRequest) {
    center.add(request)
    center.add(request) { error in
      if let error = error as? UNError, error.code == .notificationsNotAllowed { return }
    }
    center.getPendingNotificationRequests { requests in _ = requests.map { $0.identifier } }
    center.getDeliveredNotifications { shown in _ = shown.map { $0.request.content.title } }
    center.setBadgeCount(1) { error in _ = error }
  }

  public func attach(_ url: URL) -> String {
    do {
      let attachment = try UNNotificationAttachment(
        identifier: "picture", url: url,
        options: [UNNotificationAttachmentOptionsThumbnailHiddenKey: true])
      return attachment.type
    } catch UNError.attachmentInvalidURL {
      return "invalid"
    } catch let error as UNError where error.code == .attachmentUnrecognizedType {
      return "unrecognized"
    } catch {
      return (error as NSError).domain
    }
  }
}

extension AppDelegate: UNUserNotificationCenterDelegate {
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    log.append("present \(notification.request.identifier)")
    completionHandler([.banner, .list, .sound, .badge])
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    switch response.actionIdentifier {
    case UNNotificationDefaultActionIdentifier: log.append("open")
    case UNNotificationDismissActionIdentifier: log.append("dismiss")
    default:
      if let text = response as? UNTextInputNotificationResponse { log.append(text.userText) }
    }
    completionHandler()
  }
}

/// A delegate with the `async` methods.
public final class AsyncDelegate: NSObject, UNUserNotificationCenterDelegate {
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions { [.banner] }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    _ = response.notification.date
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
  ) {}
}

/// A protocol that apps use to replace the center in their tests.
public protocol NotificationScheduling {
  func add(
    _ request: UNNotificationRequest,
    withCompletionHandler completionHandler: (@Sendable (Error?) -> Void)?)
  func getNotificationSettings(
    completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void)
}

extension UNUserNotificationCenter: NotificationScheduling {}

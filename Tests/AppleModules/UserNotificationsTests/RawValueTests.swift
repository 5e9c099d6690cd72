import Foundation
import Testing
import UserNotifications

@Suite("Raw values and constants of UserNotifications")
struct RawValueTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let value: Int
    let expected: Int
    init(_ name: String, _ value: some BinaryInteger, is expected: Int) {
      (testDescription, self.value, self.expected) = (name, Int(value), expected)
    }
  }

  @Test(
    "interruption levels",
    arguments: [
      Row("passive", UNNotificationInterruptionLevel.passive.rawValue, is: 0),
      Row("active", UNNotificationInterruptionLevel.active.rawValue, is: 1),
      Row("timeSensitive", UNNotificationInterruptionLevel.timeSensitive.rawValue, is: 2),
      Row("critical", UNNotificationInterruptionLevel.critical.rawValue, is: 3),
    ])
  func levels(_ row: Row) { #expect(row.value == row.expected) }

  @Test(
    "option sets",
    arguments: [
      Row("customDismissAction", UNNotificationCategoryOptions.customDismissAction.rawValue, is: 1),
      Row("allowInCarPlay", UNNotificationCategoryOptions.allowInCarPlay.rawValue, is: 2),
      Row("showTitle", UNNotificationCategoryOptions.hiddenPreviewsShowTitle.rawValue, is: 4),
      Row("showSubtitle", UNNotificationCategoryOptions.hiddenPreviewsShowSubtitle.rawValue, is: 8),
      Row("allowAnnouncement", UNNotificationCategoryOptions.allowAnnouncement.rawValue, is: 16),
      Row("authentication", UNNotificationActionOptions.authenticationRequired.rawValue, is: 1),
      Row("destructive", UNNotificationActionOptions.destructive.rawValue, is: 2),
      Row("foreground", UNNotificationActionOptions.foreground.rawValue, is: 4),
      Row("ask badge", UNAuthorizationOptions.badge.rawValue, is: 1),
      Row("ask sound", UNAuthorizationOptions.sound.rawValue, is: 2),
      Row("ask alert", UNAuthorizationOptions.alert.rawValue, is: 4),
      Row("ask carPlay", UNAuthorizationOptions.carPlay.rawValue, is: 8),
      Row("ask criticalAlert", UNAuthorizationOptions.criticalAlert.rawValue, is: 16),
      Row("ask settings", UNAuthorizationOptions.providesAppNotificationSettings.rawValue, is: 32),
      Row("ask provisional", UNAuthorizationOptions.provisional.rawValue, is: 64),
      Row("ask announcement", UNAuthorizationOptions.announcement.rawValue, is: 128),
      Row("ask timeSensitive", UNAuthorizationOptions.timeSensitive.rawValue, is: 256),
      Row("present badge", UNNotificationPresentationOptions.badge.rawValue, is: 1),
      Row("present sound", UNNotificationPresentationOptions.sound.rawValue, is: 2),
      Row("present alert", UNNotificationPresentationOptions.alert.rawValue, is: 4),
      Row("present list", UNNotificationPresentationOptions.list.rawValue, is: 8),
      Row("present banner", UNNotificationPresentationOptions.banner.rawValue, is: 16),
    ])
  func options(_ row: Row) { #expect(row.value == row.expected) }

  @Test(
    "statuses and settings",
    arguments: [
      Row("notDetermined", UNAuthorizationStatus.notDetermined.rawValue, is: 0),
      Row("denied", UNAuthorizationStatus.denied.rawValue, is: 1),
      Row("authorized", UNAuthorizationStatus.authorized.rawValue, is: 2),
      Row("provisional", UNAuthorizationStatus.provisional.rawValue, is: 3),
      Row("ephemeral", UNAuthorizationStatus.ephemeral.rawValue, is: 4),
      Row("notSupported", UNNotificationSetting.notSupported.rawValue, is: 0),
      Row("disabled", UNNotificationSetting.disabled.rawValue, is: 1),
      Row("enabled", UNNotificationSetting.enabled.rawValue, is: 2),
      Row("no alert", UNAlertStyle.none.rawValue, is: 0),
      Row("banner", UNAlertStyle.banner.rawValue, is: 1),
      Row("alert", UNAlertStyle.alert.rawValue, is: 2),
      Row("always", UNShowPreviewsSetting.always.rawValue, is: 0),
      Row("whenAuthenticated", UNShowPreviewsSetting.whenAuthenticated.rawValue, is: 1),
      Row("never", UNShowPreviewsSetting.never.rawValue, is: 2),
    ])
  func settings(_ row: Row) { #expect(row.value == row.expected) }

  @Test("string constants")
  func texts() {
    #expect(UNNotificationAttachmentOptionsTypeHintKey == "typeHint")
    #expect(UNNotificationAttachmentOptionsThumbnailHiddenKey == "thumbnailHidden")
    #expect(UNNotificationAttachmentOptionsThumbnailClippingRectKey == "thumbnailClippingRect")
    #expect(UNNotificationAttachmentOptionsThumbnailTimeKey == "thumbnailTime")
    let prefix = "com.apple.UNNotification"
    #expect(UNNotificationDefaultActionIdentifier == prefix + "DefaultActionIdentifier")
    #expect(UNNotificationDismissActionIdentifier == prefix + "DismissActionIdentifier")
  }
}

@Suite("UNError")
struct ErrorTests {
  static let codes: [(UNError.Code, Int, String)] = [
    (UNError.notificationsNotAllowed, 1, "Notifications are not allowed for this application"),
    (UNError.attachmentInvalidURL, 100, "Invalid attachment file URL"),
    (UNError.attachmentUnrecognizedType, 101, "Unrecognized attachment file type"),
    (UNError.attachmentInvalidFileSize, 102, "Invalid attachment file size"),
    (UNError.attachmentNotInDataStore, 103, "Attachment is not in the data store"),
    (
      UNError.attachmentMoveIntoDataStoreFailed, 104,
      "Failed to move attachment file into data store"
    ),
    (UNError.attachmentCorrupt, 105, "Attachment is corrupt"),
    (UNError.attachmentUnsupportedType, 106, "Attachment type is not supported"),
    (UNError.notificationInvalidNoDate, 1400, "Notification has no date"),
    (UNError.notificationInvalidNoContent, 1401, "Notification has no user visible content"),
    (UNError.contentProvidingObjectNotAllowed, 1500, "Content providing object not allowed"),
    (UNError.contentProvidingInvalid, 1501, "Content providing object is invalid"),
    (UNError.badgeInputInvalid, 1600, "Badge count is invalid"),
  ]

  @Test("a code has Apple's number and domain, and a description", arguments: codes)
  func code(code: UNError.Code, number: Int, words: String) {
    let error: any Error = UNError(code)
    #expect(code.rawValue == number && UNError.Code(rawValue: number) == code)
    #expect((error as NSError).domain == "UNErrorDomain" && UNError.errorDomain == UNErrorDomain)
    #expect((error as NSError).code == number)
    #expect(error.localizedDescription == words)
    #expect(code ~= error)
    #expect(code ~= NSError(domain: UNErrorDomain, code: number))
    #expect(!(code ~= NSError(domain: NSCocoaErrorDomain, code: number)))
  }

  @Test("userInfo is kept, and its description takes precedence")
  func userInfo() {
    let error = UNError(.attachmentCorrupt, userInfo: [NSLocalizedDescriptionKey: "torn", "a": 1])
    #expect(error.localizedDescription == "torn")
    #expect((error as NSError).userInfo["a"] as? Int == 1)
    #expect(error == UNError(.attachmentCorrupt, userInfo: error.userInfo))
    #expect(error != UNError(.attachmentCorrupt))
  }
}

import AppFixture
import Foundation
import Testing
@_spi(Host) import UserNotifications

@Suite("Equality, copying and coding of UserNotifications' objects")
struct ValueTests {
  /// Creates an object of every class.
  static let samples: [(name: String, make: @Sendable () -> NSObject)] = [
    ("A2 request", { request }),
    ("A3 content", { UNNotificationContent() }),
    ("A3 mutable content", { content }),
    ("A4 attachment", { attachment }),
    ("A6 default", { UNNotificationSound.default }),
    ("A6 named", { UNNotificationSound(named: UNNotificationSoundName("a.caf")) }),
    ("A6 critical", { UNNotificationSound.defaultCritical }),
    ("A6 critical at a volume", { UNNotificationSound.defaultCriticalSound(withAudioVolume: 1) }),
    ("A6 critical named", { UNNotificationSound.criticalSoundNamed(.init("a.caf")) }),
    (
      "critical named with a volume",
      { UNNotificationSound.criticalSoundNamed(.init("a.caf"), withAudioVolume: 0.5) }
    ),
    ("A6 ringtone", { UNNotificationSound.defaultRingtone }),
    ("A6 ringtone named", { UNNotificationSound.ringtoneSoundNamed(.init("a.caf")) }),
    ("A7 category", { category }),
    ("A7 icon", { UNNotificationActionIcon(templateImageName: "cart") }),
    ("A7 action", { UNNotificationAction(identifier: "a", title: "A") }),
    (
      "text action",
      {
        UNTextInputNotificationAction(
          identifier: "t", title: "T", textInputButtonTitle: "B", textInputPlaceholder: "P")
      }
    ),
    ("A7 text response", { textResponse }),
    (
      "settings",
      { UNNotificationSettings(authorizationStatus: .denied, options: [.alert, .sound]) }
    ),
    ("A10 notification", { notification }),
    (
      "response",
      { UNNotificationResponse(notification: notification, actionIdentifier: "a") }
    ),
    ("A10 push trigger", { UNPushNotificationTrigger() }),
    (
      "interval trigger",
      { UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true) }
    ),
    (
      "calendar trigger",
      { UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 8), repeats: false) }
    ),
  ]

  private static var attachment: UNNotificationAttachment {
    UNNotificationAttachment(
      identifier: "p", url: URL(filePath: "/tmp/p.png"), type: "public.png",
      options: [UNNotificationAttachmentOptionsThumbnailHiddenKey: true])
  }
  private static var content: UNMutableNotificationContent {
    let content = AppDelegate.content()
    content.attachments = [attachment]
    content.userInfo["aps"] = ["alert": ["title": "é"], "null": NSNull(), "real": 1.5]
    content.summaryArgument = "s"
    content.summaryArgumentCount = 3
    return content
  }
  private static var request: UNNotificationRequest {
    UNNotificationRequest(
      identifier: "r", content: content,
      trigger: UNTimeIntervalNotificationTrigger(timeInterval: 1, repeats: false))
  }
  private static var notification: UNNotification {
    UNNotification(request: request, date: Date(timeIntervalSinceReferenceDate: 1.25))
  }
  private static var textResponse: UNTextInputNotificationResponse {
    UNTextInputNotificationResponse(
      notification: notification, actionIdentifier: "t", userText: "yes")
  }
  private static var category: UNNotificationCategory {
    UNNotificationCategory(
      identifier: "c",
      actions: [
        UNNotificationAction(
          identifier: "a", title: "A", options: .foreground,
          icon: UNNotificationActionIcon(systemImageName: "cart")),
        UNTextInputNotificationAction(
          identifier: "t", title: "T", textInputButtonTitle: "B", textInputPlaceholder: "P"),
      ], intentIdentifiers: ["INSendMessageIntent"], hiddenPreviewsBodyPlaceholder: "hidden",
      categorySummaryFormat: "%u more", options: [.allowInCarPlay, .customDismissAction])
  }

  @Test("objects are equal if and only if their values are", arguments: samples.indices)
  func equality(_ index: Int) {
    let (one, other) = (Self.samples[index].make(), Self.samples[index].make())
    #expect(one.isEqual(other) && one.hash == other.hash)
    for (place, sample) in Self.samples.enumerated() where place != index {
      #expect(!one.isEqual(sample.make()))
    }
    #expect(!one.isEqual(nil))
  }

  @Test("an object is equal to itself after encoding and decoding", arguments: samples.indices)
  func archive(_ index: Int) throws {
    let object = Self.samples[index].make()
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    let classes: [AnyClass] = [type(of: object)]
    let copy = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
    #expect((copy as? NSObject).map { type(of: $0) == type(of: object) } == true)
    #expect(object.isEqual(copy))
  }

  @Test("a copy is equal; later changes of mutable content do not change the copy")
  func copies() throws {
    for sample in Self.samples {
      let object = sample.make()
      #expect(object.isEqual(object.copy()))
    }
    let content = Self.content
    let copy = try #require(content.copy() as? UNNotificationContent)
    #expect(!(copy is UNMutableNotificationContent))
    content.title = "later"
    #expect(copy.title == "Table for two" && copy != content)
    let mutable = try #require(copy.mutableCopy() as? UNMutableNotificationContent)
    mutable.body = "mine"
    #expect(copy.body == "At eight" && mutable.title == copy.title)
  }

  @Test("a request copies the content")
  func request() {
    let content = Self.content
    let request = UNNotificationRequest(identifier: "r", content: content, trigger: nil)
    content.title = "later"
    #expect(request.content.title == "Table for two" && request.trigger == nil)
  }

  @Test("empty content has Apple's defaults", arguments: [true, false])
  func defaults(isMutable: Bool) {
    let content = isMutable ? UNMutableNotificationContent() : UNNotificationContent()
    #expect(content.title == "" && content.subtitle == "" && content.body == "")
    #expect(content.badge == nil && content.sound == nil && content.attachments.isEmpty)
    #expect(content.userInfo.isEmpty && content.launchImageName == "")
    #expect(content.categoryIdentifier == "" && content.threadIdentifier == "")
    #expect(content.summaryArgument == "" && content.summaryArgumentCount == 1)
    #expect(content.targetContentIdentifier == nil && content.filterCriteria == nil)
    #expect(content.interruptionLevel == .active && content.relevanceScore == 0)
  }

  @Test("categories have empty placeholders by default")
  func categoryDefaults() {
    let category = UNNotificationCategory(identifier: "c", actions: [], intentIdentifiers: [])
    #expect(category.hiddenPreviewsBodyPlaceholder == "" && category.categorySummaryFormat == "")
    #expect(category.options == [] && category.actions.isEmpty)
    let action = UNNotificationAction(identifier: "a", title: "A")
    #expect(action.options == [] && action.icon == nil)
  }

  @Test("a content provider that is not Apple's is refused with 1500")
  func provider() {
    final class Provider: NSObject, UNNotificationContentProviding {}
    #expect { try UNNotificationContent().updating(from: Provider()) } throws: {
      UNError.contentProvidingObjectNotAllowed ~= $0
    }
  }
}

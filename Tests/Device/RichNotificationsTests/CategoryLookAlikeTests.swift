import Foundation
import Testing
@_spi(Host) import UserNotifications

@Suite("Notification categories behave like Apple's")
struct CategoryLookAlikeTests {
  static func category(
    _ identifier: String = "c", title: String = "Buy",
    options: UNNotificationCategoryOptions = []
  ) -> UNNotificationCategory {
    UNNotificationCategory(
      identifier: identifier,
      actions: [
        UNNotificationAction(
          identifier: "a", title: title, options: [.foreground, .destructive],
          icon: UNNotificationActionIcon(systemImageName: "cart")),
        UNTextInputNotificationAction(
          identifier: "t", title: "Reply", textInputButtonTitle: "Send", textInputPlaceholder: "…"),
      ], intentIdentifiers: ["INSendMessageIntent"], hiddenPreviewsBodyPlaceholder: "hidden",
      categorySummaryFormat: "%u more", options: options)
  }

  @Test("objects with equal values are equal, so a set has only one of them")
  func equality() {
    #expect(Self.category() == Self.category())
    #expect(Set([Self.category(), Self.category()]).count == 1)
    #expect(Self.category() != Self.category(title: "Sell"))
    #expect(Self.category() != Self.category(options: .allowInCarPlay))
  }

  @Test("a text action differs from a plain one, and a symbol from an image of the same name")
  func classes() {
    let plain = UNNotificationAction(identifier: "t", title: "Reply")
    let text = UNTextInputNotificationAction(
      identifier: "t", title: "Reply", textInputButtonTitle: "", textInputPlaceholder: "")
    #expect(plain != text)
    #expect(text != plain)
    #expect(
      UNNotificationActionIcon(systemImageName: "x")
        != UNNotificationActionIcon(templateImageName: "x"))
  }

  @Test("options have Apple's numbers")
  func numbers() {
    let action: UNNotificationActionOptions = [.authenticationRequired, .destructive, .foreground]
    #expect(action.rawValue == 1 | 2 | 4)
    let category: [UNNotificationCategoryOptions] = [
      .customDismissAction, .allowInCarPlay, .hiddenPreviewsShowTitle, .hiddenPreviewsShowSubtitle,
      .allowAnnouncement,
    ]
    #expect(category.map(\.rawValue) == [1, 2, 4, 8, 16])
  }

  @Test("setting categories replaces all of them")
  func replaces() async {
    let center = UNUserNotificationCenter()
    center.setNotificationCategories([Self.category("a"), Self.category("b")])
    center.setNotificationCategories([Self.category("b")])
    #expect(await center.notificationCategories().map(\.identifier) == ["b"])
  }

  @Test("a slow center returns a write only after the given number of reads", arguments: [0, 1, 3])
  func slow(reads: Int) async {
    let center = UNUserNotificationCenter(readsUntilVisible: reads)
    center.setNotificationCategories([Self.category("a")])
    for _ in 0..<reads { #expect(await center.notificationCategories().isEmpty) }
    #expect(await center.notificationCategories().count == 1)
  }

  @Test("the process has one center")
  func current() {
    #expect(UNUserNotificationCenter.current() === UNUserNotificationCenter.current())
  }
}

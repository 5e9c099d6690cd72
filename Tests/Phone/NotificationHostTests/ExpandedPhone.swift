import Foundation
import NotificationHost
import NotificationTemplates
import PushPayload
import RichNotifications
@_spi(Host) import UserNotifications

/// A phone with a content extension of the category `expanded`, and notifications to expand on it.
enum ExpandedPhone {
  /// A measurer whose lines are as high as their letters and never break.
  struct LineMeasurer: TemplateTextMeasurer {
    func size(of text: String, font: TemplateFont, width: Double, lines: Int?) -> TemplateSize {
      TemplateSize(width: min(width, Double(text.count) * font.size / 2), height: font.size)
    }
  }

  static func make(
    takesTouches: Bool = true, categories: [String: [String]] = [:], container: URL? = nil
  ) -> ExpandedNotification {
    var handler = ContentExtension(categories: ["expanded", "sale"], initialRatio: 0.5)
    handler.takesTouches = takesTouches
    var phone = ExpandedNotification.Phone(extensions: [handler], measurer: LineMeasurer())
    phone.categories = categories
    phone.container = container
    phone.width = 300
    return ExpandedNotification(phone: phone)
  }

  static func notification(
    _ template: JSONValue, id: String = "r", category: String = "expanded", thread: String = "t"
  ) -> UNNotification {
    let content = UNMutableNotificationContent()
    content.title = "Title"
    content.categoryIdentifier = category
    content.threadIdentifier = thread
    content.userInfo = JSONValue.object(["_martlet": ["template": template]]).userInfo
    return UNNotification(
      request: UNNotificationRequest(identifier: id, content: content, trigger: nil),
      date: Date(timeIntervalSince1970: 1000))
  }

  static let poll: JSONValue = [
    "kind": "poll", "link": "shop://1",
    "choices": [["id": "a", "title": "A"], ["id": "b", "title": "B"]],
    "actions": [
      ["id": "a", "title": "A", "effect": "choose"],
      ["id": "shop", "title": "Shop", "effect": "open"],
      ["id": "later", "title": "Later", "effect": "dismiss"],
    ],
  ]
}

extension ExpandedNotification {
  /// What happened, by the names of the rules.
  func messages(of rule: HostRule) -> [String] {
    trace.filter { $0.rule == rule.name }.map(\.message)
  }
}

import Foundation
import Synchronization
import Testing
@_spi(Host) import UserNotifications
@_spi(Host) import UserNotificationsUI

// The code is our own, in the forms of vendors' content extensions: a rating that stays open, a link that falls back to the
// default action, and buttons that are replaced.

/// What both extensions do. It does not conform: a subclass could not implement a method that its base class leaves out.
private class NotificationController: UIViewController {
  var bodies: [String] = []
  var isPrepared = false

  override func viewDidLoad() {
    super.viewDidLoad()
    isPrepared = true
  }

  func didReceive(_ notification: UNNotification) {
    bodies.append(notification.request.content.body)
    preferredContentSize = CGSize(width: 320, height: 100)
    extensionContext?.notificationActions = [
      UNNotificationAction(identifier: "next", title: "Next", options: [])
    ]
  }
}

private final class NotificationViewController: NotificationController,
  UNNotificationContentExtension
{}

private final class RatingViewController: NotificationController, UNNotificationContentExtension {
  var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { .overlay }

  func didReceive(
    _ response: UNNotificationResponse,
    completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
  ) {
    switch response.actionIdentifier {
    case "next":
      extensionContext?.mediaPlayingStarted()
      completion(.doNotDismiss)
    case "open":
      if let url = URL(string: "shop://sale") {
        extensionContext?.open(url) { [weak self] done in
          if done { self?.extensionContext?.performNotificationDefaultAction() }
        }
      }
      completion(.dismiss)
    case "close":
      extensionContext?.mediaPlayingPaused()
      extensionContext?.dismissNotificationContentExtension()
      completion(.doNotDismiss)
    default: completion(.dismissAndForwardAction)
    }
  }
}

@Suite("Content extensions")
struct ContentExtensionTests {
  private func notification(_ body: String, category: String = "rating") -> UNNotification {
    let content = UNMutableNotificationContent()
    content.body = body
    content.categoryIdentifier = category
    return UNNotification(
      request: UNNotificationRequest(identifier: body, content: content, trigger: nil), date: .now)
  }

  private func answers<C>(_ host: ContentExtensionHost<C>, to actions: [String])
    -> [UNNotificationContentExtensionResponseOption]
  {
    let answers = Mutex<[UNNotificationContentExtensionResponseOption]>([])
    for action in actions {
      host.perform(action) { answer in answers.withLock { $0.append(answer) } }
    }
    return answers.withLock { $0 }
  }

  @Test(
    "the category is one of the Info.plist, with the same case",
    arguments: [
      ("rating" as any Sendable, "rating", true), (["a", "rating"], "rating", true),
      ("Rating", "rating", false), (["a"], "rating", false), ("", "", false), (1, "rating", false),
    ])
  func categories(value: any Sendable, category: String, isShown: Bool) {
    let host = ContentExtensionHost(
      attributes: ["UNNotificationExtensionCategory": value],
      expanding: notification("a", category: category)
    ) { RatingViewController() }
    #expect((host != nil) == isShown)
  }

  @Test("the extension shows notifications, replaces buttons and answers actions")
  func answers() throws {
    let host = try #require(
      ContentExtensionHost(
        attributes: ["UNNotificationExtensionCategory": "rating"], expanding: notification("one"),
        actions: [UNNotificationAction(identifier: "old", title: "Old", options: [])]
      ) { RatingViewController() })
    host.receive(notification("two"))
    #expect(host.controller.bodies == ["one", "two"] && host.controller.isPrepared)
    #expect(host.actions.map(\.identifier) == ["next"])
    #expect(host.controller.mediaPlayPauseButtonType == .overlay)
    #expect(answers(host, to: ["next"]) == [.doNotDismiss] && host.isPlaying && !host.isDismissed)
    #expect(
      answers(host, to: ["open", "close", "x"]) == [
        .dismiss, .doNotDismiss, .dismissAndForwardAction,
      ])
    #expect(host.openedURLs.map(\.absoluteString) == ["shop://sale"])
    #expect(host.performsDefaultAction && host.isDismissed && !host.isPlaying)
  }

  @Test("an extension that answers no action forwards it to the app")
  func defaults() throws {
    let host = try #require(
      ContentExtensionHost(
        attributes: ["UNNotificationExtensionCategory": ["rating"]], expanding: notification("a")
      ) { NotificationViewController() })
    #expect(answers(host, to: ["next"]) == [.dismissAndForwardAction])
    #expect(host.controller.mediaPlayPauseButtonType == .none)
    #expect(host.controller.mediaPlayPauseButtonFrame == .zero)
  }

  @Test("numbers are Apple's")
  func rawValues() {
    #expect(
      [
        UNNotificationContentExtensionResponseOption.doNotDismiss, .dismiss,
        .dismissAndForwardAction,
      ].map(\.rawValue) == [0, 1, 2])
    #expect(
      [UNNotificationContentExtensionMediaPlayPauseButtonType.none, .default, .overlay]
        .map(\.rawValue) == [0, 1, 2])
  }
}

public import Foundation
public import UIKit
@_spi(Host) public import UserNotifications

/// The part of the system that expands a notification and passes it to a content extension.
///
/// Source: Apple, "Customizing the appearance of notifications".
@_spi(Host)
public final class ContentExtensionHost<
  Controller: UIViewController & UNNotificationContentExtension
> {
  /// The extension's controller.
  public let controller: Controller
  private let context = NSExtensionContext()
  private var notification: UNNotification?

  /// Creates a host for a notification; `nil` if the extension does not handle its category.
  ///
  /// - Parameters:
  ///   - attributes: The dictionary `NSExtensionAttributes` of the Info.plist.
  ///   - notification: The notification.
  ///   - actions: The buttons of the category.
  ///   - makeController: Makes the controller.
  public init?(
    attributes: [String: Any], expanding notification: UNNotification,
    actions: [UNNotificationAction] = [],
    makeController: () -> Controller
  ) {
    let category = notification.request.content.categoryIdentifier
    guard !category.isEmpty, Self.categories(in: attributes).contains(category) else { return nil }
    controller = makeController()
    context.notificationActions = actions
    controller.extensionContext = context
    receive(notification)
  }

  /// The categories of `UNNotificationExtensionCategory`, which is a string or an array of strings.
  public static func categories(in attributes: [String: Any]) -> [String] {
    let value = attributes["UNNotificationExtensionCategory"]
    return (value as? [String]) ?? (value as? String).map { [$0] } ?? []
  }

  /// Passes a later notification of the same thread to the open extension.
  ///
  /// - Parameter notification: The notification.
  public func receive(_ notification: UNNotification) {
    self.notification = notification
    controller.loadViewIfNeeded()
    controller.didReceive(notification)
  }

  /// The buttons, which the extension may have replaced.
  public var actions: [UNNotificationAction] { context.notificationActions }

  /// Whether the extension asked the system to close the notification.
  public var isDismissed: Bool { context.requests.contains(.dismiss) }
  /// Whether the extension asked the system to open the app.
  public var performsDefaultAction: Bool { context.requests.contains(.performDefaultAction) }
  /// Whether the extension's media play, as far as it told the system.
  public var isPlaying: Bool {
    context.requests.last { $0 == .playing || $0 == .paused } == .playing
  }
  /// The URLs that the extension asked the system to open.
  public var openedURLs: [URL] {
    context.requests.compactMap { if case .open(let url) = $0 { url } else { nil } }
  }

  /// Passes an action to the extension.
  ///
  /// - Parameters:
  ///   - identifier: The action's identifier.
  ///   - completion: Called with the extension's answers.
  public func perform(
    _ identifier: String,
    completion: @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
  ) {
    guard let notification else { return }
    controller.didReceive(
      UNNotificationResponse(notification: notification, actionIdentifier: identifier),
      completionHandler: completion)
  }
}

public import Foundation
public import UIKit
public import UserNotifications

/// Apple's `UNNotificationContentExtensionResponseOption`, the step that follows an action.
public enum UNNotificationContentExtensionResponseOption: UInt, Sendable {
  /// The notification stays open.
  case doNotDismiss = 0
  /// The notification is closed.
  case dismiss = 1
  /// The notification is closed, and the app gets the action.
  case dismissAndForwardAction = 2
}

/// Apple's `UNNotificationContentExtensionMediaPlayPauseButtonType`, the button of a player.
public enum UNNotificationContentExtensionMediaPlayPauseButtonType: UInt, Sendable {
  /// No button.
  case none = 0
  /// A button that is always visible.
  case `default` = 1
  /// A button that disappears while the media play.
  case overlay = 2
}

/// Apple's `UNNotificationContentExtension`, the protocol of an expanded notification's controller.
///
/// Only ``didReceive(_:)`` is required.
///
/// Source: Apple, `UNNotificationContentExtension`.
public protocol UNNotificationContentExtension: NSObjectProtocol {
  /// Shows a notification; called again for a later one of the same thread.
  ///
  /// - Parameter notification: The notification.
  func didReceive(_ notification: UNNotification)

  /// Answers an action; without this method the notification is closed, and the app gets the action.
  ///
  /// - Parameters:
  ///   - response: The action.
  ///   - completion: Called with the answer.
  func didReceive(
    _ response: UNNotificationResponse,
    completionHandler completion:
      @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void)

  /// The button of the player.
  var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { get }
  /// The button's place in the controller's view.
  var mediaPlayPauseButtonFrame: CGRect { get }
  /// The button's color.
  var mediaPlayPauseButtonTintColor: UIColor { get }
  /// Begins to play, after a tap on the button.
  func mediaPlay()
  /// Pauses, which the button asks for.
  func mediaPause()
}

extension UNNotificationContentExtension {
  /// Forwards the action to the app, as the system does for an extension without this method.
  ///
  /// - Parameters:
  ///   - response: The action.
  ///   - completion: Called with `dismissAndForwardAction`.
  public func didReceive(
    _ response: UNNotificationResponse,
    completionHandler completion:
      @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
  ) { completion(.dismissAndForwardAction) }

  /// No button.
  public var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType {
    .none
  }
  /// No place.
  public var mediaPlayPauseButtonFrame: CGRect { .zero }
  /// The system's color.
  public var mediaPlayPauseButtonTintColor: UIColor { .blue }
  /// Does nothing.
  public func mediaPlay() {}
  /// Does nothing.
  public func mediaPause() {}
}

extension NSExtensionContext {
  /// The buttons of the expanded notification: those of its category until the extension sets others.
  public var notificationActions: [UNNotificationAction] {
    get { actions }
    set { actions = newValue }
  }

  /// Tells the system that media began to play.
  public func mediaPlayingStarted() { requests.append(.playing) }
  /// Tells the system that media were paused.
  public func mediaPlayingPaused() { requests.append(.paused) }
  /// Opens the app, as a tap on the notification does.
  public func performNotificationDefaultAction() { requests.append(.performDefaultAction) }
  /// Closes the expanded notification.
  public func dismissNotificationContentExtension() { requests.append(.dismiss) }
}

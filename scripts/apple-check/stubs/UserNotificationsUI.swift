// The declarations of Apple's UserNotificationsUI that Martlet uses.
// https://developer.apple.com/documentation/usernotificationsui
public import Foundation
public import UIKit
public import UserNotifications

public enum UNNotificationContentExtensionResponseOption: UInt, Sendable {
  case doNotDismiss, dismiss, dismissAndForwardAction
}

public enum UNNotificationContentExtensionMediaPlayPauseButtonType: UInt, Sendable {
  case none, `default`, overlay
}

// Whether the protocol belongs to the main actor differs between releases of the SDK. Here it does not, which is stricter.
public protocol UNNotificationContentExtension: NSObjectProtocol {
  func didReceive(_ notification: UNNotification)
  // Optional in Objective-C.
  func didReceive(
    _ response: UNNotificationResponse,
    completionHandler completion:
      @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void)
  var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { get }
  var mediaPlayPauseButtonFrame: CGRect { get }
  func mediaPlay()
  func mediaPause()
}

extension NSExtensionContext {
  @available(iOS 12.0, macCatalyst 14.0, visionOS 1.0, *)
  public var notificationActions: [UNNotificationAction] {
    get { fatalError() }
    set { fatalError() }
  }
  @available(iOS 12.0, macCatalyst 14.0, visionOS 1.0, *)
  public func performNotificationDefaultAction() { fatalError() }
  @available(iOS 12.0, macCatalyst 14.0, visionOS 1.0, *)
  public func dismissNotificationContentExtension() { fatalError() }
  public func mediaPlayingStarted() { fatalError() }
  public func mediaPlayingPaused() { fatalError() }
}

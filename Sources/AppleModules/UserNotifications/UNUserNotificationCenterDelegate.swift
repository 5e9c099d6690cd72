public import Foundation

/// Apple's `UNUserNotificationCenterDelegate`.
///
/// All methods have default implementations, because Apple's are optional. An app implements one of the two
/// forms of a method. Tests call the `async` form, which calls the other one by default.
///
/// Source: Apple, `UNUserNotificationCenterDelegate`.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
  /// Returns how a notification is shown while the app is in the foreground.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - notification: The notification.
  ///   - completionHandler: The handler to call once, with the options.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void)

  /// Returns how a notification is shown while the app is in the foreground.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - notification: The notification.
  /// - Returns: The options.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions

  /// Receives a person's response to a notification.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - response: The response.
  ///   - completionHandler: The handler to call once.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void)

  /// Receives a person's response to a notification.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - response: The response.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async

  /// Opens the app's own notification settings.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - notification: The notification that the person came from; `nil` for Settings.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

extension UNUserNotificationCenterDelegate {
  /// Shows nothing, as if the method were not implemented.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - notification: The notification.
  ///   - completionHandler: Called with no options.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) { completionHandler([]) }

  /// Calls the form with a completion handler.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - notification: The notification.
  /// - Returns: The options.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    await withCheckedContinuation { continuation in
      userNotificationCenter(center, willPresent: notification) {
        continuation.resume(returning: $0)
      }
    }
  }

  /// Does nothing, as if the method were not implemented.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - response: The response.
  ///   - completionHandler: Called immediately.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) { completionHandler() }

  /// Calls the form with a completion handler.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - response: The response.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    await withCheckedContinuation { continuation in
      userNotificationCenter(center, didReceive: response) { continuation.resume() }
    }
  }

  /// Does nothing, as if the method were not implemented.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - notification: The notification that the person came from.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
  ) {}
}

/// Apple's `UNNotificationPresentationOptions`.
///
/// Source: Apple, `UNNotificationPresentationOptions`.
public struct UNNotificationPresentationOptions: OptionSet, Hashable, Sendable {
  /// The raw value.
  public let rawValue: UInt

  /// Creates options from a raw value.
  ///
  /// - Parameter rawValue: The raw value.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The badge changes.
  public static let badge = UNNotificationPresentationOptions(rawValue: 1)
  /// The sound plays.
  public static let sound = UNNotificationPresentationOptions(rawValue: 2)
  /// The notification is shown; replaced by `list` and `banner` in iOS 14.
  public static let alert = UNNotificationPresentationOptions(rawValue: 4)
  /// The notification is added to Notification Center.
  public static let list = UNNotificationPresentationOptions(rawValue: 8)
  /// The notification is shown as a banner.
  public static let banner = UNNotificationPresentationOptions(rawValue: 16)
}

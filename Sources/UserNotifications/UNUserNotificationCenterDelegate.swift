public import Foundation

/// Apple's `UNUserNotificationCenterDelegate`: the app's code that hears of notifications.
///
/// Every method may be left out, as Apple's are optional. Of the two forms of a method an app writes
/// one; the `async` one is what to call, for it comes to either.
///
/// Source: Apple, `UNUserNotificationCenterDelegate`.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
  /// Says how a notification is shown while the app is in front.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - notification: What arrived.
  ///   - completionHandler: To be called once, with how it is shown.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void)

  /// Says how a notification is shown while the app is in front.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - notification: What arrived.
  /// - Returns: How it is shown.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions

  /// Receives what a person did with a notification.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - response: What they did.
  ///   - completionHandler: To be called once.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void)

  /// Receives what a person did with a notification.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - response: What they did.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async

  /// Opens the app's own page of settings.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - notification: Where the person came from; `nil` for Settings.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

extension UNUserNotificationCenterDelegate {
  /// Shows nothing, as without the method.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - notification: What arrived.
  ///   - completionHandler: Called with no options.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) { completionHandler([]) }

  /// Asks the form with a completion handler.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - notification: What arrived.
  /// - Returns: What that said.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    await withCheckedContinuation { continuation in
      userNotificationCenter(center, willPresent: notification) {
        continuation.resume(returning: $0)
      }
    }
  }

  /// Does nothing, as without the method.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - response: What the person did.
  ///   - completionHandler: Called at once.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) { completionHandler() }

  /// Asks the form with a completion handler.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - response: What the person did.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    await withCheckedContinuation { continuation in
      userNotificationCenter(center, didReceive: response) { continuation.resume() }
    }
  }

  /// Does nothing, as without the method.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - notification: Where the person came from.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
  ) {}
}

/// Apple's `UNNotificationPresentationOptions`: how a notification is shown while its app is in front.
///
/// Source: Apple, `UNNotificationPresentationOptions`.
public struct UNNotificationPresentationOptions: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// Makes options from their bits.
  ///
  /// - Parameter rawValue: The bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The number on the icon changes.
  public static let badge = UNNotificationPresentationOptions(rawValue: 1)
  /// The sound plays.
  public static let sound = UNNotificationPresentationOptions(rawValue: 2)
  /// It is shown; `list` and `banner` took its place with iOS 14.
  public static let alert = UNNotificationPresentationOptions(rawValue: 4)
  /// It is added to Notification Center.
  public static let list = UNNotificationPresentationOptions(rawValue: 8)
  /// It is shown as a banner.
  public static let banner = UNNotificationPresentationOptions(rawValue: 16)
}

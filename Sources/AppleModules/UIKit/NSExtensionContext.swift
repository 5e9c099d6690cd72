public import Foundation
@_spi(Host) package import UserNotifications

/// Foundation's `NSExtensionContext`, the connection of an extension to the system.
///
/// On Apple's systems it is in Foundation; its part for content extensions is in UserNotificationsUI.
///
/// Source: Apple, `NSExtensionContext`.
public final class NSExtensionContext: NSObject {
  /// A request of an extension to the system.
  package enum Request: Hashable, Sendable {
    case open(URL), performDefaultAction, dismiss, playing, paused, complete, cancel
  }

  /// The requests of the extension, in order.
  package var requests: [Request] = []
  /// The buttons.
  package var actions: [UNNotificationAction] = []

  /// Creates a context; only the host of an extension calls it.
  package override init() {}

  /// The items that the extension was given: none.
  public var inputItems: [Any] {
    notModelled("NSExtensionContext.inputItems", "the extension is given no items")
    return []
  }

  /// Asks the system to open a URL.
  ///
  /// - Parameters:
  ///   - URL: The URL.
  ///   - completionHandler: Called with `true`.
  public func open(_ URL: URL, completionHandler: ((Bool) -> Void)? = nil) {
    requests.append(.open(URL))
    completionHandler?(true)
  }

  /// Ends the extension.
  ///
  /// - Parameters:
  ///   - items: Unused.
  ///   - completionHandler: Called with `false`.
  public func completeRequest(
    returningItems items: [Any]?, completionHandler: ((Bool) -> Void)? = nil
  ) {
    requests.append(.complete)
    completionHandler?(false)
  }

  /// Ends the extension.
  ///
  /// - Parameter error: Unused.
  public func cancelRequest(withError error: any Error) { requests.append(.cancel) }
}

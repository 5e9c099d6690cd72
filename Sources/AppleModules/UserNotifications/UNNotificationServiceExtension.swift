public import Foundation

/// Apple's `UNNotificationServiceExtension`, the base class of service extensions.
///
/// Source: Apple, `UNNotificationServiceExtension`.
open class UNNotificationServiceExtension: NSObject {
  /// Creates an instance, which the system does for each notification.
  public override init() { super.init() }

  /// Receives a notification before it is shown.
  ///
  /// Override it to change the content. The base class passes the original content to the handler.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - contentHandler: The handler to call once, with the content to show, within 30 seconds.
  open func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    contentHandler(request.content)
  }

  /// Called on another thread shortly before the time limit, as the last chance to call the content handler.
  open func serviceExtensionTimeWillExpire() {}
}

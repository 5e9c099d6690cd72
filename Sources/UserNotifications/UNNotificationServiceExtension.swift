public import Foundation

/// Apple's `UNNotificationServiceExtension`, for Linux: the class that a service extension subclasses.
///
/// A subclass with an `init()` of its own writes `required override init()`, which Apple's takes too:
/// the host makes an object of a class that it knows by its type.
///
/// Source: Apple, `UNNotificationServiceExtension`.
open class UNNotificationServiceExtension: NSObject {
  /// Made by the host, once for each notification; an app never makes one.
  public override required init() { super.init() }

  /// Receives a notification before it is shown; to be overridden.
  ///
  /// The base class hands back what came.
  ///
  /// - Parameters:
  ///   - request: What arrived.
  ///   - contentHandler: To be called once, with the content to show, within 30 seconds.
  open func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    contentHandler(request.content)
  }

  /// Says that time is up; the last chance to call the content handler.
  ///
  /// Called on another thread.
  open func serviceExtensionTimeWillExpire() {}
}

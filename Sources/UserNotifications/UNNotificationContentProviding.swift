public import Foundation

/// Apple's `UNNotificationContentProviding`, a provider of content for messages and calls.
///
/// The system accepts only conforming types of Intents, which is not available on Linux.
///
/// Source: Apple, `UNNotificationContentProviding`.
public protocol UNNotificationContentProviding: NSObjectProtocol {}

extension UNNotificationContent {
  /// Throws an error, as the system does for any provider that is not of Intents.
  ///
  /// - Parameter provider: The provider.
  /// - Returns: Nothing, because it always throws.
  /// - Throws: ``UNError`` 1500.
  public func updating(
    from provider: any UNNotificationContentProviding
  ) throws -> UNNotificationContent { throw UNError(.contentProvidingObjectNotAllowed) }
}

/// Apple's `UNNotificationAttributedMessageContext`, a message with attributed text.
///
/// Not available on Linux.
@available(
  *, unavailable,
  message: "This class needs Intents; use it inside of #if canImport(Intents)."
)
public final class UNNotificationAttributedMessageContext: NSObject, UNNotificationContentProviding
{}

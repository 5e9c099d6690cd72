public import Foundation

/// Apple's `UNNotificationContentProviding`: what gives a notification the look of a message or call.
///
/// Apple's own conforming types are of Intents, which is not here; the system takes no others.
///
/// Source: Apple, `UNNotificationContentProviding`.
public protocol UNNotificationContentProviding: NSObjectProtocol {}

extension UNNotificationContent {
  /// Refuses, as the system does with a provider that is none of its own.
  ///
  /// - Parameter provider: What provides content.
  /// - Returns: Nothing.
  /// - Throws: ``UNError`` 1500.
  public func updating(
    from provider: any UNNotificationContentProviding
  ) throws -> UNNotificationContent { throw UNError(.contentProvidingObjectNotAllowed) }
}

/// Apple's `UNNotificationAttributedMessageContext`: a message with attributed text.
///
/// Not here.
@available(
  *, unavailable, message: "Intents is Apple's alone: make it under #if canImport(Intents)."
)
public final class UNNotificationAttributedMessageContext: NSObject, UNNotificationContentProviding
{}

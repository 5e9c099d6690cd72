public import Foundation

/// Apple's `UNNotificationContentProviding`, a provider of content for messages and calls.
///
/// The system accepts only conforming types of Intents. On Linux these are in this package's product `Intents`.
///
/// Source: Apple, `UNNotificationContentProviding`.
public protocol UNNotificationContentProviding: NSObjectProtocol {}

/// A provider of this package's module Intents.
///
/// Apple's module has no such protocol.
public protocol UNCommunicationProviding: UNNotificationContentProviding {
  /// The facts that the system shows about the message or call.
  var communication: UNCommunication { get }
}

/// The sender of a communication notification.
public struct UNCommunication: Hashable, Sendable {
  /// The sender's name.
  public let sender: String?
  /// The group's name.
  public let group: String?
  /// The conversation's identifier.
  public let conversation: String?

  /// Creates a value.
  ///
  /// - Parameters:
  ///   - sender: The sender's name.
  ///   - group: The group's name.
  ///   - conversation: The conversation's identifier.
  public init(sender: String?, group: String?, conversation: String?) {
    self.sender = sender
    self.group = group
    self.conversation = conversation
  }
}

extension UNNotificationContent {
  /// Returns the content as a communication notification.
  ///
  /// Its texts stay as they are: the system shows the sender's name and picture when it displays the notification.
  ///
  /// - Parameter provider: An intent of the module Intents.
  /// - Returns: A copy of the content.
  /// - Throws: ``UNError`` 1500 for a provider that is not of Intents.
  public func updating(
    from provider: any UNNotificationContentProviding
  ) throws -> UNNotificationContent {
    guard let provider = provider as? any UNCommunicationProviding else {
      throw UNError(.contentProvidingObjectNotAllowed)
    }
    notModelled(
      "UNNotificationContent.updating(from:)", "the sender's name and picture are not shown")
    let content = UNMutableNotificationContent(copying: self)
    content.storage.communication = provider.communication
    return content
  }

  /// The sender of a communication notification; `nil` if the notification is an ordinary one.
  @_spi(Host) public var communication: UNCommunication? { storage.communication }
}

/// Apple's `UNNotificationAttributedMessageContext`, a message with attributed text.
///
/// Not available on Linux.
@available(
  *, unavailable,
  message: "This class is not available on Linux; use it inside of #if canImport(Darwin)."
)
public final class UNNotificationAttributedMessageContext: NSObject, UNNotificationContentProviding
{}

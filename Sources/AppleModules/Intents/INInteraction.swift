import Dispatch
public import Foundation
@_spi(Host) import UserNotifications

/// Apple's `INInteractionDirection`, the side that began an interaction.
public enum INInteractionDirection: Int, Sendable {
  /// The side is not known.
  case unspecified = 0
  /// The user.
  case outgoing = 1
  /// Somebody else.
  case incoming = 2
}

/// Apple's `INInteraction`, an intent that took place.
///
/// Donating succeeds, but nothing is kept.
///
/// Source: Apple, `INInteraction`.
public final class INInteraction: NSObject {
  /// The intent.
  public let intent: INIntent
  /// The answer to the intent.
  public let intentResponse: INIntentResponse?
  /// The side that began the interaction.
  public var direction = INInteractionDirection.unspecified
  /// The time at which the interaction took place.
  public var dateInterval: DateInterval?
  /// The identifier that deletes this donation.
  public var identifier = UUID().uuidString
  /// The identifier that deletes a group of donations.
  public var groupIdentifier: String?

  /// Creates an interaction.
  ///
  /// - Parameters:
  ///   - intent: The intent.
  ///   - response: The answer to the intent.
  public init(intent: INIntent, response: INIntentResponse?) {
    self.intent = intent
    intentResponse = response
  }

  /// Donates the interaction.
  ///
  /// - Parameter completion: Called with `nil` on another thread.
  public func donate(completion: (((any Error)?) -> Void)? = nil) {
    sayDonation()
    Self.call(completion)
  }

  /// Donates the interaction.
  ///
  /// - Throws: Never.
  public func donate() async throws { sayDonation() }

  private func sayDonation() {
    notModelled("INInteraction.donate(completion:)", "the donation is not kept")
  }

  /// Deletes donations; it has no effect, because donations are not kept.
  ///
  /// - Parameters:
  ///   - identifiers: The donations' identifiers.
  ///   - completion: Called with `nil` on another thread.
  public static func delete(
    with identifiers: [String], completion: (((any Error)?) -> Void)? = nil
  ) {
    sayDeletion()
    call(completion)
  }

  /// Deletes donations; it has no effect, because donations are not kept.
  ///
  /// - Parameters:
  ///   - groupIdentifier: The donations' identifier.
  ///   - completion: Called with `nil` on another thread.
  public static func delete(
    with groupIdentifier: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    sayDeletion()
    call(completion)
  }

  /// Deletes all donations; it has no effect, because donations are not kept.
  ///
  /// - Parameter completion: Called with `nil` on another thread.
  public static func deleteAll(completion: (((any Error)?) -> Void)? = nil) {
    sayDeletion()
    call(completion)
  }

  private static func sayDeletion() {
    notModelled("INInteraction.delete(with:completion:)", "no donation is kept")
  }

  private static func call(_ completion: (((any Error)?) -> Void)?) {
    guard let completion else { return }
    // Intents is not annotated: the caller passes a closure that may run on any thread.
    nonisolated(unsafe) let passed = completion
    DispatchQueue.global().async { passed(nil) }
  }
}

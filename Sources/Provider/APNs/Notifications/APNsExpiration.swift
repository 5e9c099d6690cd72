public import FoundationEssentials
import PushPayload

/// The time at which APNs stops trying to deliver a push: the value of the header field `apns-expiration`.
///
/// ```swift
/// let expiration = APNsExpiration.at(.now + 3600)
/// ```
///
/// A whole number is the field's own value, in seconds since 1970. Source: Apple, "Sending notification requests to APNs".
public struct APNsExpiration: Hashable, Sendable {
  /// The seconds since 1970; 0 for one attempt.
  ///
  /// A push with a negative number is refused before it is sent.
  public let seconds: Int64

  /// Creates an expiration.
  ///
  /// - Parameter seconds: The seconds since 1970; 0 for one attempt.
  public init(seconds: Int64) { self.seconds = seconds }

  /// APNs tries once, and stores nothing.
  public static let oneAttempt = APNsExpiration(seconds: 0)

  /// APNs tries until a date.
  ///
  /// - Parameter date: The date, which is rounded down to the second.
  /// - Returns: The expiration.
  public static func at(_ date: Date) -> APNsExpiration {
    APNsExpiration(seconds: Int64(saturating: date.timeIntervalSince1970.rounded(.down)))
  }
}

extension APNsExpiration: ExpressibleByIntegerLiteral {
  /// Creates an expiration from the value of the header field.
  ///
  /// - Parameter seconds: The seconds since 1970; 0 for one attempt.
  public init(integerLiteral seconds: Int64) { self.init(seconds: seconds) }
}

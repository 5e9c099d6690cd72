public import Foundation

/// Apple's `UNNotificationTrigger`, the condition for showing a notification.
///
/// Objects are equal if their values are equal.
open class UNNotificationTrigger: NSObject, NSCopying, NSSecureCoding {
  /// Whether the trigger repeats.
  public let repeats: Bool

  init(repeats: Bool) { self.repeats = repeats }

  /// Decodes an archived trigger.
  ///
  /// - Parameter coder: The coder.
  public required init?(coder: NSCoder) { repeats = coder.decodeBool(forKey: "repeats") }

  /// Encodes the trigger.
  ///
  /// - Parameter coder: The coder.
  public func encode(with coder: NSCoder) { coder.encode(repeats, forKey: "repeats") }

  /// Always `true`.
  public static var supportsSecureCoding: Bool { true }

  /// Returns this object, because it is immutable.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether another object is equal: of the same class and with the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationTrigger else { return false }
    return type(of: other) == type(of: self) && other.repeats == repeats
  }

  /// A hash that is the same for equal triggers.
  open override var hash: Int { repeats.hashValue }
}

/// Apple's `UNPushNotificationTrigger`, the trigger of remote notifications.
public final class UNPushNotificationTrigger: UNNotificationTrigger {
  /// Creates an instance; on a phone only the system does so.
  @_spi(Host) public init() { super.init(repeats: false) }

  /// Decodes an archived trigger.
  ///
  /// - Parameter coder: The coder.
  public required init?(coder: NSCoder) { super.init(coder: coder) }
}

/// Apple's `UNTimeIntervalNotificationTrigger`, a trigger after a time interval.
public final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger {
  /// The interval in seconds.
  public let timeInterval: TimeInterval

  /// Creates a trigger.
  ///
  /// As with Apple's class, an invalid interval is a precondition failure.
  ///
  /// - Parameters:
  ///   - timeInterval: The interval in seconds, more than 0, and at least 60 if it repeats.
  ///   - repeats: Whether the trigger repeats.
  public init(timeInterval: TimeInterval, repeats: Bool) {
    precondition(timeInterval > 0, "time interval must be greater than 0")
    precondition(!repeats || timeInterval >= 60, "time interval must be at least 60 if repeating")
    self.timeInterval = timeInterval
    super.init(repeats: repeats)
  }

  /// Decodes an archived trigger.
  ///
  /// - Parameter coder: The coder.
  public required init?(coder: NSCoder) {
    timeInterval = coder.decodeDouble(forKey: "timeInterval")
    super.init(coder: coder)
    guard timeInterval > 0 else { return nil }
  }

  /// Encodes the trigger.
  ///
  /// - Parameter coder: The coder.
  public override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(timeInterval, forKey: "timeInterval")
  }

  /// Returns the next date if the request were added now.
  ///
  /// - Returns: The date.
  public func nextTriggerDate() -> Date? { Date(timeIntervalSinceNow: timeInterval) }

  /// Whether another object is equal: with the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    super.isEqual(object)
      && (object as? UNTimeIntervalNotificationTrigger)?.timeInterval == timeInterval
  }
}

/// Apple's `UNCalendarNotificationTrigger`, a trigger at matching dates.
public final class UNCalendarNotificationTrigger: UNNotificationTrigger {
  /// The components that a date must match.
  public let dateComponents: DateComponents

  /// Creates a trigger.
  ///
  /// - Parameters:
  ///   - dateComponents: The components that a date must match.
  ///   - repeats: Whether the trigger repeats.
  public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
    self.dateComponents = dateComponents
    super.init(repeats: repeats)
  }

  /// Decodes an archived trigger.
  ///
  /// - Parameter coder: The coder.
  public required init?(coder: NSCoder) {
    let data = coder.decodeObject(of: NSData.self, forKey: "dateComponents")
    guard let data,
      let components = try? Self.decoder.decode(DateComponents.self, from: data as Data)
    else { return nil }
    dateComponents = components
    super.init(coder: coder)
  }

  /// Encodes the trigger.
  ///
  /// - Parameter coder: The coder.
  public override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    let data = try? PropertyListEncoder().encode(dateComponents)
    coder.encode(data.map(NSData.init(data:)), forKey: "dateComponents")
  }

  private static var decoder: PropertyListDecoder { PropertyListDecoder() }

  /// Returns the next matching date.
  ///
  /// - Returns: The date; `nil` if no later date matches.
  public func nextTriggerDate() -> Date? {
    (dateComponents.calendar ?? .current).nextDate(
      after: Date(), matching: dateComponents, matchingPolicy: .nextTime)
  }

  /// Whether another object is equal: with the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    super.isEqual(object)
      && (object as? UNCalendarNotificationTrigger)?.dateComponents == dateComponents
  }
}

/// Apple's `UNLocationNotificationTrigger`, a trigger at a location.
///
/// Not available on Linux.
@available(
  *, unavailable,
  message: "This class needs Core Location; use it inside of #if canImport(CoreLocation)."
)
public final class UNLocationNotificationTrigger: UNNotificationTrigger {}

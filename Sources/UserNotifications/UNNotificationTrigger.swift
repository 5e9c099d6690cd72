public import Foundation

/// Apple's `UNNotificationTrigger`: what makes a notification show.
///
/// Objects are compared by value.
open class UNNotificationTrigger: NSObject, NSCopying, NSSecureCoding {
  /// Whether it shows again and again.
  public let repeats: Bool

  init(repeats: Bool) { self.repeats = repeats }

  /// Reads an archived trigger.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) { repeats = coder.decodeBool(forKey: "repeats") }

  /// Writes the trigger to an archive.
  ///
  /// - Parameter coder: The archive.
  public func encode(with coder: NSCoder) { coder.encode(repeats, forKey: "repeats") }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// The trigger itself, which cannot change.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether another object is a trigger of the same class and the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationTrigger else { return false }
    return type(of: other) == type(of: self) && other.repeats == repeats
  }

  /// The same for equal triggers.
  open override var hash: Int { repeats.hashValue }
}

/// Apple's `UNPushNotificationTrigger`: it came from APNs.
public final class UNPushNotificationTrigger: UNNotificationTrigger {
  /// Made by the system alone.
  @_spi(Host) public init() { super.init(repeats: false) }

  /// Reads an archived trigger.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) { super.init(coder: coder) }
}

/// Apple's `UNTimeIntervalNotificationTrigger`: after so many seconds.
public final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger {
  /// The seconds.
  public let timeInterval: TimeInterval

  /// Makes a trigger.
  ///
  /// As on the phone, a program that breaks the rules for the interval ends here.
  ///
  /// - Parameters:
  ///   - timeInterval: The seconds, more than zero; at least 60 where it repeats.
  ///   - repeats: Whether it shows again and again.
  public init(timeInterval: TimeInterval, repeats: Bool) {
    precondition(timeInterval > 0, "time interval must be greater than 0")
    precondition(!repeats || timeInterval >= 60, "time interval must be at least 60 if repeating")
    self.timeInterval = timeInterval
    super.init(repeats: repeats)
  }

  /// Reads an archived trigger.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) {
    timeInterval = coder.decodeDouble(forKey: "timeInterval")
    super.init(coder: coder)
    guard timeInterval > 0 else { return nil }
  }

  /// Writes the trigger to an archive.
  ///
  /// - Parameter coder: The archive.
  public override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(timeInterval, forKey: "timeInterval")
  }

  /// When it would show next, were it added now.
  ///
  /// - Returns: The date.
  public func nextTriggerDate() -> Date? { Date(timeIntervalSinceNow: timeInterval) }

  /// Whether another object is such a trigger of the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    super.isEqual(object)
      && (object as? UNTimeIntervalNotificationTrigger)?.timeInterval == timeInterval
  }
}

/// Apple's `UNCalendarNotificationTrigger`: at a date, or whenever a date matches.
public final class UNCalendarNotificationTrigger: UNNotificationTrigger {
  /// What the date must match.
  public let dateComponents: DateComponents

  /// Makes a trigger.
  ///
  /// - Parameters:
  ///   - dateComponents: What the date must match.
  ///   - repeats: Whether it shows at every such date.
  public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
    self.dateComponents = dateComponents
    super.init(repeats: repeats)
  }

  /// Reads an archived trigger.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) {
    let data = coder.decodeObject(of: NSData.self, forKey: "dateComponents")
    guard let data,
      let components = try? Self.decoder.decode(DateComponents.self, from: data as Data)
    else { return nil }
    dateComponents = components
    super.init(coder: coder)
  }

  /// Writes the trigger to an archive.
  ///
  /// - Parameter coder: The archive.
  public override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    let data = try? PropertyListEncoder().encode(dateComponents)
    coder.encode(data.map(NSData.init(data:)), forKey: "dateComponents")
  }

  private static var decoder: PropertyListDecoder { PropertyListDecoder() }

  /// When it would show next.
  ///
  /// - Returns: The date; `nil` where none is to come.
  public func nextTriggerDate() -> Date? {
    (dateComponents.calendar ?? .current).nextDate(
      after: Date(), matching: dateComponents, matchingPolicy: .nextTime)
  }

  /// Whether another object is such a trigger of the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    super.isEqual(object)
      && (object as? UNCalendarNotificationTrigger)?.dateComponents == dateComponents
  }
}

/// Apple's `UNLocationNotificationTrigger`: at a place.
///
/// Not here.
@available(
  *, unavailable,
  message: "Places are Core Location's: schedule it under #if canImport(CoreLocation)."
)
public final class UNLocationNotificationTrigger: UNNotificationTrigger {}

public import Foundation

/// Apple's `UNNotificationSound`, the sound of a notification.
///
/// Objects are equal if their values are equal.
public final class UNNotificationSound: NSObject, NSCopying, NSSecureCoding {
  /// The file's name, which only the host reads; `nil` for the system's sound.
  @_spi(Host) public let name: UNNotificationSoundName?
  /// Whether it is a critical sound.
  @_spi(Host) public let isCritical: Bool
  /// The volume of a critical sound, 0…1.
  @_spi(Host) public let volume: Float?
  /// Whether it is a ringtone.
  @_spi(Host) public let isRingtone: Bool

  init(
    name: UNNotificationSoundName?, isCritical: Bool = false, volume: Float? = nil,
    isRingtone: Bool = false
  ) {
    self.name = name
    self.isCritical = isCritical
    self.volume = volume
    self.isRingtone = isRingtone
  }

  /// Creates a sound from a file of the app.
  ///
  /// - Parameter name: The file's name with its extension.
  @available(watchOS, unavailable)
  public convenience init(named name: UNNotificationSoundName) {
    self.init(name: name, isCritical: false)
  }

  /// The system's sound.
  public class var `default`: UNNotificationSound { UNNotificationSound(name: nil) }

  /// The system's sound for critical alerts.
  public class var defaultCritical: UNNotificationSound {
    UNNotificationSound(name: nil, isCritical: true)
  }

  /// The system's sound for critical alerts, with a volume.
  ///
  /// - Parameter volume: The volume, 0…1.
  /// - Returns: The sound.
  public class func defaultCriticalSound(withAudioVolume volume: Float) -> UNNotificationSound {
    UNNotificationSound(name: nil, isCritical: true, volume: volume)
  }

  /// A critical sound from a file of the app.
  ///
  /// - Parameter name: The file's name with its extension.
  /// - Returns: The sound.
  @available(watchOS, unavailable)
  public class func criticalSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
    UNNotificationSound(name: name, isCritical: true)
  }

  /// A critical sound from a file of the app, with a volume.
  ///
  /// - Parameters:
  ///   - name: The file's name with its extension.
  ///   - volume: The volume, 0…1.
  /// - Returns: The sound.
  @available(watchOS, unavailable)
  public class func criticalSoundNamed(
    _ name: UNNotificationSoundName, withAudioVolume volume: Float
  ) -> UNNotificationSound {
    UNNotificationSound(name: name, isCritical: true, volume: volume)
  }

  /// The system's ringtone.
  @available(watchOS, unavailable)
  @available(macOS, unavailable)
  public class var defaultRingtone: UNNotificationSound {
    UNNotificationSound(name: nil, isRingtone: true)
  }

  /// A ringtone from a file of the app.
  ///
  /// - Parameter name: The file's name with its extension.
  /// - Returns: The sound.
  @available(watchOS, unavailable)
  @available(macOS, unavailable)
  public class func ringtoneSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
    UNNotificationSound(name: name, isRingtone: true)
  }

  /// Decodes an archived sound.
  ///
  /// - Parameter coder: The coder.
  public required convenience init?(coder: NSCoder) {
    self.init(
      name: coder.text("name").map(UNNotificationSoundName.init(rawValue:)),
      isCritical: coder.decodeBool(forKey: "critical"), volume: coder.number("volume")?.floatValue,
      isRingtone: coder.decodeBool(forKey: "ringtone"))
  }

  /// Encodes the sound.
  ///
  /// - Parameter coder: The coder.
  public func encode(with coder: NSCoder) {
    coder.encode(name?.rawValue, forKey: "name")
    coder.encode(isCritical, forKey: "critical")
    coder.encode(volume.map { NSNumber(value: $0) }, forKey: "volume")
    coder.encode(isRingtone, forKey: "ringtone")
  }

  /// Always `true`.
  public static var supportsSecureCoding: Bool { true }

  /// Whether another object is equal: with the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationSound else { return false }
    return other.name == name && other.isCritical == isCritical && other.volume == volume
      && other.isRingtone == isRingtone
  }

  /// A hash that is the same for equal sounds.
  public override var hash: Int { name.hashValue }

  /// Returns this object, because it is immutable.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Apple's `UNNotificationSoundName`, the name of a sound file.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
  /// The file's name with its extension.
  public let rawValue: String

  /// Creates a name.
  ///
  /// - Parameter rawValue: The file's name with its extension.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a name.
  ///
  /// - Parameter rawValue: The file's name with its extension.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

public import Foundation

/// Apple's `UNNotificationSound`: what a notification plays.
///
/// Objects are compared by value.
public final class UNNotificationSound: NSObject, NSCopying, NSSecureCoding {
  /// The file's name; `nil` for the system's own sound.
  ///
  /// The host reads it, an app cannot.
  @_spi(Host) public let name: UNNotificationSoundName?
  /// Whether it plays through silence.
  @_spi(Host) public let isCritical: Bool
  /// 0…1 for critical sounds.
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

  /// A sound of the app.
  ///
  /// - Parameter name: The file's name with its extension.
  public convenience init(named name: UNNotificationSoundName) {
    self.init(name: name, isCritical: false)
  }

  /// The system's sound.
  public class var `default`: UNNotificationSound { UNNotificationSound(name: nil) }

  /// The system's sound for critical alerts.
  public class var defaultCritical: UNNotificationSound {
    UNNotificationSound(name: nil, isCritical: true)
  }

  /// The system's sound for critical alerts, at a volume.
  ///
  /// - Parameter volume: 0…1.
  /// - Returns: The sound.
  public class func defaultCriticalSound(withAudioVolume volume: Float) -> UNNotificationSound {
    UNNotificationSound(name: nil, isCritical: true, volume: volume)
  }

  /// A sound of the app that plays through silence.
  ///
  /// - Parameter name: The file's name with its extension.
  /// - Returns: The sound.
  public class func criticalSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
    UNNotificationSound(name: name, isCritical: true)
  }

  /// A sound of the app that plays through silence, at a volume.
  ///
  /// - Parameters:
  ///   - name: The file's name with its extension.
  ///   - volume: 0…1.
  /// - Returns: The sound.
  public class func criticalSoundNamed(
    _ name: UNNotificationSoundName, withAudioVolume volume: Float
  ) -> UNNotificationSound {
    UNNotificationSound(name: name, isCritical: true, volume: volume)
  }

  /// The system's ringtone.
  public class var defaultRingtone: UNNotificationSound {
    UNNotificationSound(name: nil, isRingtone: true)
  }

  /// A ringtone of the app.
  ///
  /// - Parameter name: The file's name with its extension.
  /// - Returns: The sound.
  public class func ringtoneSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
    UNNotificationSound(name: name, isRingtone: true)
  }

  /// Reads an archived sound.
  ///
  /// - Parameter coder: The archive.
  public required convenience init?(coder: NSCoder) {
    self.init(
      name: coder.text("name").map(UNNotificationSoundName.init(rawValue:)),
      isCritical: coder.decodeBool(forKey: "critical"), volume: coder.number("volume")?.floatValue,
      isRingtone: coder.decodeBool(forKey: "ringtone"))
  }

  /// Writes the sound to an archive.
  ///
  /// - Parameter coder: The archive.
  public func encode(with coder: NSCoder) {
    coder.encode(name?.rawValue, forKey: "name")
    coder.encode(isCritical, forKey: "critical")
    coder.encode(volume.map { NSNumber(value: $0) }, forKey: "volume")
    coder.encode(isRingtone, forKey: "ringtone")
  }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Whether another object is a sound of the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationSound else { return false }
    return other.name == name && other.isCritical == isCritical && other.volume == volume
      && other.isRingtone == isRingtone
  }

  /// The same for equal sounds.
  public override var hash: Int { name.hashValue }

  /// The sound itself, which cannot change.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Apple's `UNNotificationSoundName`: the name of a sound file.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
  /// The file's name with its extension.
  public let rawValue: String

  /// Names a sound file.
  ///
  /// - Parameter rawValue: The file's name with its extension.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Names a sound file.
  ///
  /// - Parameter rawValue: The file's name with its extension.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

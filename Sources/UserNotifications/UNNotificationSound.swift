public import Foundation

/// Apple's `UNNotificationSound`: what a notification plays.
public final class UNNotificationSound: NSObject, NSCopying {
  /// The file's name; `nil` for the system's own sound.
  ///
  /// The host reads it, an app cannot.
  @_spi(Host) public let name: UNNotificationSoundName?
  /// Whether it plays through silence.
  @_spi(Host) public let isCritical: Bool
  /// 0…1 for critical sounds.
  @_spi(Host) public let volume: Float?

  init(name: UNNotificationSoundName?, isCritical: Bool = false, volume: Float? = nil) {
    self.name = name
    self.isCritical = isCritical
    self.volume = volume
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

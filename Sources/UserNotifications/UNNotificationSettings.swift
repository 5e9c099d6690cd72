public import Foundation

/// Apple's `UNNotificationSettings`: what the person allows the app.
///
/// Source: Apple, `UNNotificationSettings`.
public final class UNNotificationSettings: NSObject, NSCopying, Sendable {
  /// Whether the app may notify.
  public let authorizationStatus: UNAuthorizationStatus
  /// What the app asked for.
  private let options: UNAuthorizationOptions
  /// When previews are shown.
  public let showPreviewsSetting: UNShowPreviewsSetting

  /// What the person's answer and the app's question come to.
  @_spi(Host) public init(
    authorizationStatus: UNAuthorizationStatus, options: UNAuthorizationOptions,
    showPreviewsSetting: UNShowPreviewsSetting = .always
  ) {
    self.authorizationStatus = authorizationStatus
    self.options = options
    self.showPreviewsSetting = showPreviewsSetting
  }

  /// Sounds.
  public var soundSetting: UNNotificationSetting { setting(.sound) }
  /// The number on the icon.
  public var badgeSetting: UNNotificationSetting { setting(.badge) }
  /// Banners.
  public var alertSetting: UNNotificationSetting { setting(.alert) }
  /// CarPlay.
  public var carPlaySetting: UNNotificationSetting { setting(.carPlay) }
  /// Sounds through silence, for which Apple must grant an entitlement.
  public var criticalAlertSetting: UNNotificationSetting { setting(.criticalAlert) }
  /// Reading aloud.
  public var announcementSetting: UNNotificationSetting { setting(.announcement) }
  /// Breaking through Focus.
  public var timeSensitiveSetting: UNNotificationSetting { setting(.timeSensitive) }
  /// Notification Center, where provisional notifications are shown too.
  public var notificationCenterSetting: UNNotificationSetting {
    authorizationStatus == .provisional ? .enabled : allowed
  }
  /// The lock screen.
  public var lockScreenSetting: UNNotificationSetting { allowed }
  /// The scheduled summary; off until the person turns it on.
  public var scheduledDeliverySetting: UNNotificationSetting {
    authorizationStatus == .notDetermined ? .notSupported : .disabled
  }
  /// Messages of persons, for which the app must have the capability.
  public var directMessagesSetting: UNNotificationSetting { .notSupported }
  /// How alerts look.
  public var alertStyle: UNAlertStyle { alertSetting == .enabled ? .banner : .none }
  /// Whether the app has a page of settings of its own.
  public var providesAppNotificationSettings: Bool {
    options.contains(.providesAppNotificationSettings)
  }

  /// What the app did not ask for, is not supported; nothing is, before it asks.
  private func setting(_ option: UNAuthorizationOptions) -> UNNotificationSetting {
    options.contains(option) ? allowed : .notSupported
  }

  private var allowed: UNNotificationSetting {
    switch authorizationStatus {
    case .notDetermined: .notSupported
    case .authorized, .ephemeral: .enabled
    case .denied, .provisional: .disabled
    }
  }

  /// The settings themselves, which cannot change.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether another object is settings of the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationSettings else { return false }
    return other.authorizationStatus == authorizationStatus && other.options == options
      && other.showPreviewsSetting == showPreviewsSetting
  }

  /// The same for equal settings.
  public override var hash: Int { authorizationStatus.hashValue }
}

extension UNNotificationSettings: NSSecureCoding {
  /// Reads archived settings.
  ///
  /// - Parameter coder: The archive.
  public convenience init?(coder: NSCoder) {
    guard let status = UNAuthorizationStatus(rawValue: coder.decodeInteger(forKey: "status")),
      let previews = UNShowPreviewsSetting(rawValue: coder.decodeInteger(forKey: "previews"))
    else { return nil }
    let options = UInt(bitPattern: coder.decodeInteger(forKey: "options"))
    self.init(
      authorizationStatus: status, options: UNAuthorizationOptions(rawValue: options),
      showPreviewsSetting: previews)
  }

  /// Writes the settings to an archive.
  ///
  /// - Parameter coder: The archive.
  public func encode(with coder: NSCoder) {
    coder.encode(authorizationStatus.rawValue, forKey: "status")
    coder.encode(Int(bitPattern: options.rawValue), forKey: "options")
    coder.encode(showPreviewsSetting.rawValue, forKey: "previews")
  }

  /// True.
  public static var supportsSecureCoding: Bool { true }
}

/// Apple's `UNAuthorizationStatus`: whether the app may notify.
public enum UNAuthorizationStatus: Int, Sendable {
  /// The person was not asked yet.
  case notDetermined = 0
  /// The person has refused.
  case denied = 1
  /// The person has agreed.
  case authorized = 2
  /// Quietly, without having asked.
  case provisional = 3
  /// For a while, as App Clips may.
  case ephemeral = 4
}

/// Apple's `UNNotificationSetting`: whether one way to notify is open.
public enum UNNotificationSetting: Int, Sendable {
  /// The app did not ask for it, or the device has it not.
  case notSupported = 0
  /// Turned off.
  case disabled = 1
  /// Turned on.
  case enabled = 2
}

/// Apple's `UNAlertStyle`: how alerts look.
public enum UNAlertStyle: Int, Sendable {
  /// Not at all.
  case none = 0
  /// They go away by themselves.
  case banner = 1
  /// They stay.
  case alert = 2
}

/// Apple's `UNShowPreviewsSetting`: when a notification's text is shown.
public enum UNShowPreviewsSetting: Int, Sendable {
  /// On the lock screen too.
  case always = 0
  /// On an unlocked phone.
  case whenAuthenticated = 1
  /// Not at all.
  case never = 2
}

/// Apple's `UNAuthorizationOptions`: what an app asks the person for.
///
/// Source: Apple, `UNAuthorizationOptions`.
public struct UNAuthorizationOptions: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// Makes options from their bits.
  ///
  /// - Parameter rawValue: The bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The number on the icon.
  public static let badge = UNAuthorizationOptions(rawValue: 1)
  /// Sounds.
  public static let sound = UNAuthorizationOptions(rawValue: 2)
  /// Alerts.
  public static let alert = UNAuthorizationOptions(rawValue: 4)
  /// CarPlay.
  public static let carPlay = UNAuthorizationOptions(rawValue: 8)
  /// Sounds through silence.
  public static let criticalAlert = UNAuthorizationOptions(rawValue: 16)
  /// The app has a page of settings of its own.
  public static let providesAppNotificationSettings = UNAuthorizationOptions(rawValue: 32)
  /// Quietly, without asking.
  public static let provisional = UNAuthorizationOptions(rawValue: 64)
  /// Reading aloud; ignored by the system since iOS 15.
  public static let announcement = UNAuthorizationOptions(rawValue: 128)
  /// Breaking through Focus; an entitlement took its place.
  public static let timeSensitive = UNAuthorizationOptions(rawValue: 256)
}

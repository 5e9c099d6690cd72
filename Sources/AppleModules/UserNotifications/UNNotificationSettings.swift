public import Foundation

/// Apple's `UNNotificationSettings`, the notification settings of the app.
///
/// Source: Apple, `UNNotificationSettings`.
public final class UNNotificationSettings: NSObject, NSCopying, Sendable {
  /// The authorization of the app.
  public let authorizationStatus: UNAuthorizationStatus
  /// The options that the app has requested.
  private let options: UNAuthorizationOptions
  /// The condition for showing previews.
  @available(watchOS, unavailable)
  public let showPreviewsSetting: UNShowPreviewsSetting

  /// Creates settings from the person's decision and the requested options.
  @_spi(Host) public init(
    authorizationStatus: UNAuthorizationStatus, options: UNAuthorizationOptions,
    showPreviewsSetting: UNShowPreviewsSetting = .always
  ) {
    self.authorizationStatus = authorizationStatus
    self.options = options
    self.showPreviewsSetting = showPreviewsSetting
  }

  /// The setting for sounds.
  public var soundSetting: UNNotificationSetting { setting(.sound) }
  /// The setting for badges.
  @available(watchOS, unavailable)
  public var badgeSetting: UNNotificationSetting { setting(.badge) }
  /// The setting for banners.
  public var alertSetting: UNNotificationSetting { setting(.alert) }
  /// The setting for CarPlay.
  @available(watchOS, unavailable)
  @available(macOS, unavailable)
  public var carPlaySetting: UNNotificationSetting { setting(.carPlay) }
  /// The setting for critical alerts, which need an entitlement from Apple.
  public var criticalAlertSetting: UNNotificationSetting { setting(.criticalAlert) }
  /// The setting for announcements by Siri.
  @available(macOS, unavailable)
  public var announcementSetting: UNNotificationSetting { setting(.announcement) }
  /// The setting for time-sensitive notifications.
  public var timeSensitiveSetting: UNNotificationSetting { setting(.timeSensitive) }
  /// The setting for Notification Center, where provisional notifications are shown too.
  public var notificationCenterSetting: UNNotificationSetting {
    authorizationStatus == .provisional ? .enabled : allowed
  }
  /// The setting for the lock screen.
  @available(watchOS, unavailable)
  public var lockScreenSetting: UNNotificationSetting { allowed }
  /// The setting for the scheduled summary, which is off until the person turns it on.
  public var scheduledDeliverySetting: UNNotificationSetting {
    authorizationStatus == .notDetermined ? .notSupported : .disabled
  }
  /// The setting for communication notifications, which need a capability.
  public var directMessagesSetting: UNNotificationSetting { .notSupported }
  /// The style of alerts.
  @available(watchOS, unavailable)
  public var alertStyle: UNAlertStyle { alertSetting == .enabled ? .banner : .none }
  /// Whether the app has its own notification settings.
  public var providesAppNotificationSettings: Bool {
    options.contains(.providesAppNotificationSettings)
  }

  /// The setting of an option, which is not supported unless the app has requested it.
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

  /// Returns this object, because it is immutable.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether another object is equal: with the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationSettings else { return false }
    return other.authorizationStatus == authorizationStatus && other.options == options
      && other.showPreviewsSetting == showPreviewsSetting
  }

  /// A hash that is the same for equal settings.
  public override var hash: Int { authorizationStatus.hashValue }
}

extension UNNotificationSettings: NSSecureCoding {
  /// Decodes archived settings.
  ///
  /// - Parameter coder: The coder.
  public convenience init?(coder: NSCoder) {
    guard let status = UNAuthorizationStatus(rawValue: coder.decodeInteger(forKey: "status")),
      let previews = UNShowPreviewsSetting(rawValue: coder.decodeInteger(forKey: "previews"))
    else { return nil }
    let options = UInt(bitPattern: coder.decodeInteger(forKey: "options"))
    self.init(
      authorizationStatus: status, options: UNAuthorizationOptions(rawValue: options),
      showPreviewsSetting: previews)
  }

  /// Encodes the settings.
  ///
  /// - Parameter coder: The coder.
  public func encode(with coder: NSCoder) {
    coder.encode(authorizationStatus.rawValue, forKey: "status")
    coder.encode(Int(bitPattern: options.rawValue), forKey: "options")
    coder.encode(showPreviewsSetting.rawValue, forKey: "previews")
  }

  /// Always `true`.
  public static var supportsSecureCoding: Bool { true }
}

/// Apple's `UNAuthorizationStatus`.
public enum UNAuthorizationStatus: Int, Sendable {
  /// The app has not requested authorization.
  case notDetermined = 0
  /// Notifications are not allowed.
  case denied = 1
  /// Notifications are allowed.
  case authorized = 2
  /// Quiet notifications are allowed without a request to the person.
  case provisional = 3
  /// Notifications are allowed for a limited time, as for App Clips.
  @available(macOS, unavailable)
  @available(watchOS, unavailable)
  case ephemeral = 4
}

/// Apple's `UNNotificationSetting`.
public enum UNNotificationSetting: Int, Sendable {
  /// The app has not requested it, or the device does not support it.
  case notSupported = 0
  /// The setting is off.
  case disabled = 1
  /// The setting is on.
  case enabled = 2
}

/// Apple's `UNAlertStyle`.
@available(watchOS, unavailable)
public enum UNAlertStyle: Int, Sendable {
  /// No alerts.
  case none = 0
  /// Alerts disappear automatically.
  case banner = 1
  /// Alerts stay until they are dismissed.
  case alert = 2
}

/// Apple's `UNShowPreviewsSetting`.
@available(watchOS, unavailable)
public enum UNShowPreviewsSetting: Int, Sendable {
  /// Previews are always shown.
  case always = 0
  /// Previews are shown while the device is unlocked.
  case whenAuthenticated = 1
  /// Previews are never shown.
  case never = 2
}

/// Apple's `UNAuthorizationOptions`.
///
/// Source: Apple, `UNAuthorizationOptions`.
public struct UNAuthorizationOptions: OptionSet, Hashable, Sendable {
  /// The raw value.
  public let rawValue: UInt

  /// Creates options from a raw value.
  ///
  /// - Parameter rawValue: The raw value.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Badges.
  public static let badge = UNAuthorizationOptions(rawValue: 1)
  /// Sounds.
  public static let sound = UNAuthorizationOptions(rawValue: 2)
  /// Alerts.
  public static let alert = UNAuthorizationOptions(rawValue: 4)
  /// CarPlay.
  public static let carPlay = UNAuthorizationOptions(rawValue: 8)
  /// Critical alerts.
  public static let criticalAlert = UNAuthorizationOptions(rawValue: 16)
  /// The app has its own notification settings.
  public static let providesAppNotificationSettings = UNAuthorizationOptions(rawValue: 32)
  /// Quiet notifications without a request to the person.
  public static let provisional = UNAuthorizationOptions(rawValue: 64)
  /// Announcements by Siri; ignored by the system since iOS 15.
  public static let announcement = UNAuthorizationOptions(rawValue: 128)
  /// Time-sensitive notifications; replaced by an entitlement.
  public static let timeSensitive = UNAuthorizationOptions(rawValue: 256)
}

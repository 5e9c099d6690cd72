/// The notification settings of an app that decide whether its extension runs.
public struct NotificationSettings: Hashable, Sendable {
  /// Whether banners are shown.
  public var alerts = true
  /// Whether notifications are shown on the lock screen.
  public var lockScreen = true
  /// Whether notifications are shown in Notification Center.
  public var notificationCenter = true
  /// Whether the app icon has badges.
  public var badges = true
  /// Whether sounds are played.
  public var sounds = true
  /// Whether notifications are announced by Siri.
  public var announcements = false

  /// Whether notifications are forwarded to an accessory (iOS 26.5, iPhone, European Union).
  public var accessories = false

  /// Creates settings that allow everything but announcements and accessories.
  public init() {}

  /// Settings that allow nothing.
  public static var denied: NotificationSettings {
    var settings = NotificationSettings()
    settings.alerts = false
    settings.lockScreen = false
    settings.notificationCenter = false
    settings.badges = false
    settings.sounds = false
    return settings
  }

  /// Settings of provisional authorization: quiet delivery to Notification Center only.
  public static var provisional: NotificationSettings {
    var settings = NotificationSettings.denied
    settings.notificationCenter = true
    return settings
  }

  /// Whether alerts are shown anywhere.
  ///
  /// Quiet delivery to Notification Center counts.
  var showsAlerts: Bool { alerts || lockScreen || notificationCenter }

  /// Whether anything is allowed.
  var allowsAny: Bool { showsAlerts || badges || sounds || announcements }
}

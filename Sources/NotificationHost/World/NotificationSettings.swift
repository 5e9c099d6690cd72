/// What the person allows the app, as far as it decides whether the extension runs.
public struct NotificationSettings: Hashable, Sendable {
  /// Whether banners or alerts are shown.
  public var alerts = true
  /// Whether they are shown on the lock screen.
  public var lockScreen = true
  /// Whether they are kept in Notification Center.
  public var notificationCenter = true
  /// Whether the icon is badged.
  public var badges = true
  /// Whether sounds are played.
  public var sounds = true
  /// Whether notifications are read out.
  public var announcements = false

  /// Everything allowed but being read out.
  public init() {}

  /// Nothing allowed.
  public static var denied: NotificationSettings {
    var settings = NotificationSettings()
    settings.alerts = false
    settings.lockScreen = false
    settings.notificationCenter = false
    settings.badges = false
    settings.sounds = false
    return settings
  }

  /// Provisional authorisation: delivered quietly, to Notification Center alone.
  public static var provisional: NotificationSettings {
    var settings = NotificationSettings.denied
    settings.notificationCenter = true
    return settings
  }

  /// Whether an alert shows anywhere; a quiet delivery to Notification Center counts.
  var showsAlerts: Bool { alerts || lockScreen || notificationCenter }

  /// Whether anything is allowed.
  var allowsAny: Bool { showsAlerts || badges || sounds || announcements }
}

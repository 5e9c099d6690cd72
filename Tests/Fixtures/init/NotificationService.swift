import RichNotifications

/// Fetches the media of notifications and attaches them. The settings are in Info.plist, under
/// Martlet.
final class NotificationService: RichNotificationService {}

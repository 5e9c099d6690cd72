import RichNotificationContent

/// Shows expanded notifications that have a template. It fetches nothing: the service extension
/// prepares the media in the app group. The settings are in Info.plist, under Martlet.
final class NotificationContent: RichContentViewController {}

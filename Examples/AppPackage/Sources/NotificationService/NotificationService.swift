import RichNotifications

final class NotificationService: RichNotificationService {}

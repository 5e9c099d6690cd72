import RichNotifications

// The example of the README, as an app writes it.
final class NotificationService: RichNotificationService {
  override var configuration: RichConfiguration {
    RichConfiguration(dialects: .standard.preceded(by: .custom(media: ["data.picture"])))
  }
}

@main
enum Consumer {
  static func main() { print(NotificationService().configuration.deadline) }
}

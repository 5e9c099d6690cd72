import RichNotifications

@main
enum Consumer {
  static func main() { print(RichConfiguration().deadline) }
}

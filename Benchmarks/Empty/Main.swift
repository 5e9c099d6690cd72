import Foundation
import UserNotifications

/// The program `bench-empty`: what the size of `bench-app` contains besides MartletKit, which is our UserNotifications; on a
/// phone that is Apple's, and is not in the app.
@main
struct Empty {
  static func main() { print(Date(), UNUserNotificationCenter.current()) }
}

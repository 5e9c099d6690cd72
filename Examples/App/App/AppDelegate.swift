import MartletKit
import UIKit

final class AppDelegate: NSObject, UIApplicationDelegate {
  let push = PushDevice(
    PushSettings(server: Shop.pushServer, key: Shop.deviceKey, folder: Shop.appGroupFolder))

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    push.installDelegate()
    application.registerForRemoteNotifications()
    let push = push
    // Also when the system launches the app in the background, because a push has started an activity.
    if #available(iOS 16.2, *) {
      Task { await push.liveActivities.follow(OrderAttributes.self) }
    }
    if Shop.hasConsent { Task { await push.start() } }
    return true
  }

  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data
  ) { push.setToken(token) }

  func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) { push.reportTokenFailure(error) }
}

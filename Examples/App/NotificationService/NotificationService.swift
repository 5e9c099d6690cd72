import Foundation
import MartletKit
import RichNotifications

/// The app's service extension, which sends its receipts as the same device.
final class NotificationService: RichNotificationService {
  // swift-format-ignore: NeverForceUnwrap
  private let appGroupFolder = FileManager.default
    .containerURL(forSecurityApplicationGroupIdentifier: "group.com.example.shop")!
  // swift-format-ignore: NeverForceUnwrap
  private let serverURL = URL(string: "https://push.example.com")!
  private let deviceKey = "DEVICE_KEY"

  override var configuration: RichConfiguration {
    var configuration = super.configuration
    if let device = DeviceCredentials(folder: appGroupFolder) {
      configuration.receipts = ReceiptSettings(
        endpoint: serverURL.appending(path: "v6/receipts"), deviceKey: deviceKey,
        deviceID: device.id, folder: appGroupFolder, deviceSecret: device.secret)
    }
    return configuration
  }
}

import Foundation
import MediaLoading
import PushPayload
import RichNotifications
import UserNotifications

extension RichEnvironment {
  /// Creates the environment that ``device`` is in an app's extension.
  init(app: VirtualPhone.App, clock: any HostClock) {
    let bundle = app.bundle
    self.init(
      loader: app.network ?? OfflineMediaLoader(), clock: clock,
      temporaryDirectory: app.temporaryDirectory,
      bundledFile: { name in
        guard let file = bundle?.appending(path: name) else { return nil }
        return FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) ? file : nil
      }, categories: app.extensionCategories)
    categoryRegistry = UNCategoryRegistry(center: app.center)
    let named = app.extensionInfo["Martlet"]?["AppGroup"]?.string
    if app.appGroupIdentifier == nil || named == app.appGroupIdentifier {
      appGroupFolder = app.appGroup
    }
  }
}

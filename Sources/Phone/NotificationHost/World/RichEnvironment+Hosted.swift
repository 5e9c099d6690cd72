import Foundation
import MediaLoading
import PushPayload
import RichNotifications
import UserNotifications

extension RichEnvironment {
  /// Creates the environment that ``device`` is in an app's extension.
  init(app: VirtualPhone.App, clock: any HostClock) {
    // An extension's files are in its own bundle.
    let bundle = app.extensionBundle ?? app.bundle
    self.init(
      loader: SecureLoader(
        loader: app.network ?? OfflineMediaLoader(), security: app.transportSecurity), clock: clock,
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

/// A loader that App Transport Security keeps from URLs without TLS (rule `transport-security`).
private struct SecureLoader: MediaLoader {
  let loader: any MediaLoader
  let security: TransportSecurity

  private struct NoLoad: MediaLoad { func cancel() {} }

  func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    guard security.allows(request.url) else {
      sink.finish(
        MediaLoadError(
          .unsupportedURL, "App Transport Security forbids http: URLs of this host"))
      return NoLoad()
    }
    return loader.load(request, into: sink)
  }
}

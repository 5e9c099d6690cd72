public import Foundation
public import MediaLoading
@_spi(Host) public import UserNotifications

extension NotificationHost {
  /// The app on the phone.
  public struct App: Sendable {
    /// What the person allows.
    public var settings = NotificationSettings()
    /// What Apple has granted.
    public var entitlements = Entitlements()
    /// Whether the app has registered for remote notifications.
    public var isRegistered = true
    /// Whether a push may wake the app: the background mode is there and Background App Refresh on.
    public var receivesBackgroundPushes = true
    /// The categories in the extension's Info.plist.
    public var extensionCategories: [String] = []
    /// Which hosts the extension's Info.plist lets it speak to without TLS.
    public var transportSecurity = TransportSecurity()
    /// What `URLSession` of the look-alike asks, such as a ``ScriptedNetwork``; `nil` for no network.
    public var network: (any MediaLoader)?
    /// How many bytes a download of that `URLSession` finds free on the disk; `nil` for plenty.
    public var freeDiskSpace: Int64?
    /// How far the phone is unlocked, for the files that the extension attaches.
    public var lockState = LockState.unlocked
    /// The extension's data container: attachments must lie in it, or in one of the next three.
    public var container: URL
    /// The app's bundle: for bundled media, and for the texts that a payload names by key.
    public var bundle: URL?
    /// The language of those texts: the name of an `.lproj` folder.
    public var language = "en"
    /// The app group's folder.
    public var appGroup: URL?
    /// By which name the extension asks `FileManager` for that folder; `nil` for none.
    public var appGroupIdentifier: String?
    /// What the extension has from `NSTemporaryDirectory()`, where attachments may lie as well.
    ///
    /// As on the phone, a file that is attached from here is gone afterwards.
    public var temporaryDirectory = URL(
      fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
    /// The categories that the app, and its extension, have made known; here none but what they do.
    public var center = UNUserNotificationCenter(readsUntilVisible: 0)
    /// Makes the principal class; `nil` where the app has no service extension.
    public var makeExtension: (@Sendable () -> UNNotificationServiceExtension)?
    /// The extension as a program; where there is one, it runs in place of ``makeExtension``.
    public var process: ExtensionProcess?

    /// Describes an app whose extension is a program of its own.
    ///
    /// - Parameters:
    ///   - container: The extension's data container, a folder that exists.
    ///   - process: The program.
    public init(container: URL, process: ExtensionProcess) {
      self.init(container: container)
      self.process = process
    }

    /// Describes an app.
    ///
    /// - Parameters:
    ///   - container: The extension's data container, a folder that exists.
    ///   - makeExtension: Makes the principal class, once for each notification.
    public init(
      container: URL, makeExtension: (@Sendable () -> UNNotificationServiceExtension)? = nil
    ) {
      self.container = container
      self.makeExtension = makeExtension
    }

    /// The buttons of a category as the system knows them when it shows the notification.
    func actions(of category: String) -> [ShownAction] {
      let found = HostLocked<[ShownAction]>([])
      center.getNotificationCategories { categories in
        let actions = categories.first { $0.identifier == category }?.actions ?? []
        let shown = actions.map { ShownAction(identifier: $0.identifier, title: $0.title) }
        found.withLock { $0 = shown }
      }
      return found.withLock { $0 }
    }
  }
}

extension AttachmentStore {
  init(app: NotificationHost.App, behavior: HostBehavior) {
    self.init(
      folders: [app.container, app.temporaryDirectory, app.bundle, app.appGroup]
        .compactMap(\.self),
      bundle: app.bundle, temporaryDirectory: app.temporaryDirectory,
      repository: app.container.appending(path: "Attachments", directoryHint: .isDirectory),
      behavior: behavior,
      isOpen: app.lockState.opens(.completeUntilFirstUserAuthentication))
  }
}

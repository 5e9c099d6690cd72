public import Foundation
public import MediaLoading
public import PushPayload
@_spi(Host) public import UserNotifications

extension VirtualPhone {
  /// The app of a ``VirtualPhone``, with its extension, files and settings.
  public struct App: Sendable {
    /// The app's notification settings.
    public var settings = NotificationSettings()
    /// The app's entitlements.
    public var entitlements = Entitlements()
    /// Whether the app has registered for remote notifications.
    public var isRegistered = true
    /// Whether a push may wake the app: it has the background mode, and Background App Refresh is on.
    public var receivesBackgroundPushes = true
    /// The value of `UNNotificationExtensionCategory` in the extension's Info.plist.
    public var extensionCategories: [String] = []
    /// The extension's Info.plist; `RichNotificationService` reads the dictionary `Martlet` in it.
    ///
    /// The values of ``extensionCategories`` and ``transportSecurity`` are not read from it.
    public var extensionInfo: JSONValue = [:]
    /// App Transport Security in the extension's Info.plist.
    public var transportSecurity = TransportSecurity()
    /// The network behind the replacement of `URLSession`, such as a ``ScriptedNetwork``; `nil` if the app has no network.
    public var network: (any MediaLoader)?
    /// The free disk space in bytes for downloads of that `URLSession`; `nil` if it is not limited.
    public var freeDiskSpace: Int64?
    /// Whether the phone is locked, for the files that the extension attaches.
    public var lockState = LockState.unlocked
    /// The extension's data container.
    ///
    /// The extension finds its folders `Documents` and `Library/Caches` here. Attachments must be in it, in
    /// ``bundle``, in ``extensionBundle``, in ``appGroup`` or in ``temporaryDirectory``.
    public var container: URL
    /// The app's bundle, for localized strings and the bundled media of `RichNotificationService`.
    public var bundle: URL?
    /// The extension's bundle, a folder with an Info.plist and media: `Bundle.main` in the extension.
    ///
    /// Without it, `Bundle.main` is the bundle of the test's own process.
    public var extensionBundle: URL?
    /// The language of the localized strings: the name of an `.lproj` folder.
    public var language = "en"
    /// The app group's container.
    public var appGroup: URL?
    /// The app group's identifier, for `FileManager.containerURL(forSecurityApplicationGroupIdentifier:)`; `nil`
    /// for none.
    ///
    /// If it is set, `RichNotificationService` uses the container only if the key `AppGroup` of its configuration in
    /// ``extensionInfo`` has this value, as on a phone.
    public var appGroupIdentifier: String?
    /// The value of `NSTemporaryDirectory()` in the extension.
    ///
    /// The default is `tmp` in ``container``. The host creates the folder. As on a phone, files that are attached
    /// from here are moved.
    public var temporaryDirectory: URL
    /// The notification center of the app and its extension, for registered categories.
    public var center = UNUserNotificationCenter(readsUntilVisible: 0)
    /// Creates an instance of the extension's principal class; `nil` if the app has no service extension.
    public var makeExtension: (@Sendable () -> UNNotificationServiceExtension)?
    /// The extension as a separate process, which runs in place of ``makeExtension``.
    public var process: ExtensionProcess?

    /// Whether all work of the extension is on the host's clock and network, as a `RichNotificationService`'s is.
    ///
    /// It then runs beside other extensions of this process, and the clock does not look for unseen work.
    package var worksOnHostAlone = false

    /// Creates an app whose extension is a separate process.
    ///
    /// - Parameters:
    ///   - container: The extension's data container, an existing folder.
    ///   - process: The extension's executable.
    public init(container: URL, process: ExtensionProcess) {
      self.init(container: container)
      self.process = process
    }

    /// Creates an app.
    ///
    /// - Parameters:
    ///   - container: The extension's data container, an existing folder.
    ///   - makeExtension: Creates an instance of the extension's principal class, once for each notification.
    public init(
      container: URL, makeExtension: (@Sendable () -> UNNotificationServiceExtension)? = nil
    ) {
      self.container = container
      self.makeExtension = makeExtension
      temporaryDirectory = container.appending(path: "tmp", directoryHint: .isDirectory)
    }

    /// The actions of a registered category.
    func actions(of category: String) -> [ShownAction] {
      let found = Locked<[ShownAction]>([])
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
  init(app: VirtualPhone.App, behavior: HostBehavior) {
    self.init(
      folders: [
        app.temporaryDirectory, app.container, app.appGroup, app.extensionBundle, app.bundle,
      ].compactMap(\.self),
      bundles: [app.bundle, app.extensionBundle].compactMap(\.self),
      temporaryDirectory: app.temporaryDirectory,
      repository: app.container.appending(path: "Attachments", directoryHint: .isDirectory),
      behavior: behavior,
      isOpen: app.lockState.opens(.completeUntilFirstUserAuthentication))
  }
}

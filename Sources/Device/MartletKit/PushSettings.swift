public import Foundation

/// The server, the app's key and the folder of a ``PushDevice``.
///
/// Descriptions of this value never contain the key.
public struct PushSettings: Sendable, CustomStringConvertible, CustomReflectable {
  /// The server's address, such as `https://push.example.com`.
  public var server: URL
  /// The folder for the device's files: the app group's container, or the app's own folder for Application Support.
  ///
  /// Each folder is a device of its own: an app with several accounts or servers uses one for each.
  public var folder: URL
  /// Apple's push host that the tokens belong to; `nil` reads it from the app's provisioning profile.
  public var gateway: PushGateway?
  /// Whether this server's pushes are shown while the app is in the foreground, if no other delegate decides it.
  public var showsPushesInForeground = true
  /// Whether the server is told the app's notification settings, such as whether the lock screen shows notifications.
  ///
  /// The server's timeline of a notification says by them why it was not shown. The default is `true`.
  public var reportsNotificationSettings = true
  /// Receives a line for each request and each failure; lines have no token, no key and nothing of the user.
  public var log: (@Sendable (String) -> Void)?
  /// A key of role `device`.
  let key: String

  /// Creates settings.
  ///
  /// - Parameters:
  ///   - server: The server's address.
  ///   - key: A key of role `device`. It ships inside the app, so it is not secret.
  ///   - folder: The folder for the device's files. With a service extension it is the app group's container.
  public init(server: URL, key: String, folder: URL) {
    self.server = server
    self.key = key
    self.folder = folder
  }

  /// The folder that the files are in, which the extension's library uses too.
  static func files(in folder: URL) -> URL {
    folder.appending(path: "Library/Martlet", directoryHint: .isDirectory)
  }

  /// The server and the folder.
  public var description: String { "push by \(server), files in \(folder.path)" }

  /// The properties without the key, as a debugger and `dump` show them.
  public var customMirror: Mirror {
    Mirror(self, children: ["server": server, "folder": folder, "gateway": gateway as Any])
  }
}

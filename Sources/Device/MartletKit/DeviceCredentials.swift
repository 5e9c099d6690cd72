public import Foundation

/// The device's identifier and secret, for the service extension.
///
/// An extension that sends receipts reads them from the app group's container, where the app's ``PushDevice`` has stored them:
///
/// ```swift
/// if let device = DeviceCredentials(folder: appGroupFolder) {
///   print(device.id)
/// }
/// ```
///
/// Descriptions of this value never contain the secret.
public struct DeviceCredentials: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The device's identifier at the server.
  public let id: String
  /// The device's own secret.
  public let secret: String

  /// Reads the credentials; `nil` if the app has not started its device, has stopped it, or the file cannot be read.
  ///
  /// - Parameter folder: The folder of the app's ``PushSettings``.
  public init?(folder: URL) {
    let files = DeviceFiles(FolderStorage(PushSettings.files(in: folder)))
    guard let record = (try? files.record()) ?? nil, record.phase == .active else { return nil }
    id = record.id
    secret = record.secret
  }

  /// The identifier.
  public var description: String { "device \(id)" }

  /// The properties without the secret, as a debugger and `dump` show them.
  public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}

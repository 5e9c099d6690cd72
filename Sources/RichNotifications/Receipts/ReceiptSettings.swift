public import Foundation

/// Where receipts are kept and where they go; without it there are none.
///
/// ```swift
/// configuration.receipts = ReceiptSettings(
///   endpoint: receiptsURL, deviceKey: key, deviceID: id, folder: appGroupContainer)
/// ```
///
/// The key never shows in its descriptions.
public struct ReceiptSettings: Sendable, CustomStringConvertible, CustomReflectable {
  /// The server's `/v6/receipts`.
  public var endpoint: URL
  /// This device, as the server knows it.
  public var deviceID: String
  /// The receipts that wait.
  public var queue: ReceiptQueue
  /// The header field's value; RFC 7617, with the key as the password and no user name.
  let authorization: String

  /// Makes settings.
  ///
  /// - Parameters:
  ///   - endpoint: The server's `/v6/receipts`.
  ///   - deviceKey: A key of the role `device`; it ships inside the app and is no secret.
  ///   - deviceID: This device, as the server knows it.
  ///   - folder: The app group's container, the same in app and extension; receipts lie in a folder
  ///     of their own in it.
  public init(endpoint: URL, deviceKey: String, deviceID: String, folder: URL) {
    self.endpoint = endpoint
    self.deviceID = deviceID
    queue = ReceiptQueue(
      folder: folder.appending(path: "Library/Martlet/Receipts", directoryHint: .isDirectory))
    authorization = "Basic " + Data(":\(deviceKey)".utf8).base64EncodedString()
  }

  /// Where receipts go, and whose they are.
  public var description: String { "receipts of \(deviceID) to \(endpoint)" }

  /// What a debugger and `dump` show: everything but the key.
  public var customMirror: Mirror {
    Mirror(self, children: ["endpoint": endpoint, "deviceID": deviceID, "queue": queue])
  }
}

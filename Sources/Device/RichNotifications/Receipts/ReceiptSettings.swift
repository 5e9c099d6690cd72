public import Foundation

/// The server that receipts are sent to, and the queue that stores them.
///
/// ```swift
/// configuration.receipts = ReceiptSettings(
///   endpoint: receiptsURL, deviceKey: key, deviceID: id, folder: appGroupContainer)
/// ```
///
/// Descriptions of this value never contain the key or the device's secret.
public struct ReceiptSettings: Sendable, CustomStringConvertible, CustomReflectable {
  /// The URL of the server's `/v6/receipts`.
  public var endpoint: URL
  /// This device's identifier on the server.
  public var deviceID: String
  /// The queue that stores receipts until they are sent.
  public var queue: ReceiptQueue
  /// Whether receipts of an expanded notification have the text that a person typed into it.
  ///
  /// If it is `false`, the default, a receipt says only that something was submitted. The server never stores the text: it
  /// passes it to the app's webhooks.
  public var sendsTypedText = false
  /// Whether a receipt says what the extension did: the dialect, the decryption, and the result of each file.
  ///
  /// The server's timeline of a notification uses it. It has no text, no URL and nothing of the person. The default is `true`.
  public var sendsTrace = true
  /// Whether a Focus silences notifications now; `nil`, the default, does not tell the server.
  ///
  /// An app with the permission of `INFocusStatusCenter` returns its `focusStatus.isFocused`.
  public var isFocused: (@Sendable () -> Bool?)?
  /// The value of the `Authorization` field (RFC 7617): the key as password, without a user name.
  let authorization: String
  /// The device's own secret; `nil` if the device has no secret.
  let deviceSecret: String?

  /// Creates settings.
  ///
  /// - Parameters:
  ///   - endpoint: The URL of the server's `/v6/receipts`.
  ///   - deviceKey: A key with the role `device`. It ships inside the app, so it is not secret.
  ///   - deviceID: This device's identifier on the server.
  ///   - folder: The app group's container, the same in app and extension. Receipts are stored in a
  ///     subfolder of it.
  ///   - deviceSecret: The device's own secret, 32 random bytes in base64url, if the app sends one as
  ///     `Martlet-Device-Secret`. From then on the server refuses receipts without it.
  ///     Store it in a keychain group of app and extension.
  public init(
    endpoint: URL, deviceKey: String, deviceID: String, folder: URL, deviceSecret: String? = nil
  ) {
    self.endpoint = endpoint
    self.deviceSecret = deviceSecret
    self.deviceID = deviceID
    queue = ReceiptQueue(
      folder: folder.appending(path: "Library/Martlet/Receipts", directoryHint: .isDirectory))
    authorization = "Basic " + Data(":\(deviceKey)".utf8).base64EncodedString()
  }

  /// The device and the endpoint.
  public var description: String { "receipts of \(deviceID) to \(endpoint)" }

  /// The properties without the key and the secret, as a debugger and `dump` show them.
  public var customMirror: Mirror {
    Mirror(self, children: ["endpoint": endpoint, "deviceID": deviceID, "queue": queue])
  }
}

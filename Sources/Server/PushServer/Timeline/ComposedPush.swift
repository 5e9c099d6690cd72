package import NotificationHost
import PushModel
package import PushPayload

/// The push of a notification to one device, as it is composed now.
package struct ComposedPush: Sendable {
  /// The push as APNs gets it.
  package var message: PushMessage
  /// The payload before its encryption.
  package var content: JSONValue
  /// The number of bytes that APNs gets.
  package var size: Int
  /// The locale of the text; `nil` if the texts do not differ by locale.
  package var language: String?

  /// Makes the push of a payload that is sent as it is.
  package init(_ message: PushMessage) {
    self.message = message
    content = message.payload
    size = message.payload.serialized().count
  }

  /// Composes the push for a device.
  ///
  /// - Throws: ``ComposeError`` if it cannot be composed for the device.
  init(
    _ composer: Composer, for device: Recipient, at now: Timestamp
  ) throws(ComposeError) {
    let sent = try composer.payload(for: device, at: now)
    var unencrypted = device
    (unencrypted.publicKey, unencrypted.authSecret) = (nil, nil)
    let plain = try composer.payload(for: unencrypted, at: now)
    message = PushMessage(
      payload: (try? JSONValue(parsing: sent)) ?? .null, pushType: composer.pushType.rawValue,
      collapseID: composer.collapseID)
    content = (try? JSONValue(parsing: plain)) ?? .null
    size = sent.count
    language = composer.language(for: device)
  }

  package var isEncrypted: Bool { message.payload["_enc"] != nil }

  /// Whether the payload asks for something that only the service extension gives: media, or decryption.
  package var needsExtension: Bool { isEncrypted || wantsMedia }

  package var wantsMedia: Bool { !DialectTable.standard.read(content).media.isEmpty }
}

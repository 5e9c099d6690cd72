import PushPayload
import _OpenSSLCrypto

/// The ids, keys and secrets that the server makes.
package enum Identifiers {
  /// Makes a random id of 96 bits, as 24 lowercase hex digits.
  package static func makeObjectID() -> String { hex(OpenSSLCrypto.randomBytes(12)) }

  /// Makes a random API key of 256 bits; the store keeps only its ``hash(ofKey:)``.
  package static func makeKey() -> String { "mk_" + hex(OpenSSLCrypto.randomBytes(32)) }

  /// Makes a random secret of 256 bits, which signs a webhook's calls.
  static func makeWebhookSecret() -> String { "whsec_" + hex(OpenSSLCrypto.randomBytes(32)) }

  /// The SHA-256 of an API key, which identifies the key in the store.
  package static func hash(ofKey key: String) -> [UInt8] {
    OpenSSLCrypto.sha256(Array(key.utf8))
  }

  /// The id of the audience of all devices of an app, which all sends to `"*"` share.
  static func everyone(in app: String) -> String { derived("everyone/" + app, bytes: 12) }

  /// The id of the audience of an app's test devices.
  static func testDevices(in app: String) -> String { derived("test devices/" + app, bytes: 12) }

  /// The id of the message of a request with an `Idempotency-Key`, by which a repeated request
  /// finds it.
  static func message(madeBy key: String, in app: String) -> String {
    derived("message/\(app)/\(key)", bytes: 12)
  }

  /// The `apns-id` of a send's push to a device.
  ///
  /// A retry has the same id, so that it is the same push. The id is a UUID of version 8 (RFC 9562,
  /// section 5.8) in lowercase, as APNs requires it.
  static func apnsID(send: String, device: String) -> String {
    var ids = PushIdentifiers(send: send)
    return ids.apnsID(device: device)
  }

  private static func derived(_ text: String, bytes: Int) -> String {
    hex(Array(OpenSSLCrypto.sha256(Array(text.utf8)).prefix(bytes)))
  }

  static func hex(_ bytes: [UInt8]) -> String { bytes.hexadecimal }
}

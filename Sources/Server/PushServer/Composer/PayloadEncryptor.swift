import PushCrypto
import PushPayload
import _OpenSSLCrypto

/// Encrypts payloads, and puts each into `_enc` of an outer payload (RFC 8291).
///
/// The outer payload has a placeholder alert, and makes the service extension run.
struct PayloadEncryptor: Sendable {
  /// The most bytes of the plaintext with which the whole payload fits within APNs' limit.
  let plaintextLimit: Int
  /// The multiple of bytes to which plaintexts are padded; 1 does not pad.
  private let paddingMultiple: Int
  private let before: [UInt8]
  private let after: [UInt8]

  init(notification id: String, contentAvailable: Bool, limit: Int, options: Composer.Options) {
    var aps = APS(alert: Alert(body: options.placeholder), mutableContent: true)
    aps.contentAvailable = contentAvailable
    // The outer payload is readable in transit, so it contains nothing else of the notification.
    let outer = APNsPayload(aps: aps, custom: ["_nid": .string(id)]).encoded()
    before = Array("{\"\(EncryptedPayload.payloadKey)\":\"".utf8)
    after = Array("\",".utf8) + outer.dropFirst()
    plaintextLimit = max(0, (limit - before.count - after.count) * 3 / 4 - WebPush.overhead)
    paddingMultiple = options.paddingMultiple
  }

  /// Encrypts a payload to a device's keys, and returns the outer payload.
  func encrypt(_ payload: [UInt8], to keys: SubscriptionKeys) throws(ComposeError) -> [UInt8] {
    // Padding fills at most the space within the limit, so that it never makes a payload too large.
    let padding = EncryptedContent.padding(
      for: payload.count, toMultipleOf: paddingMultiple, maximum: plaintextLimit)
    do throws(CryptoError) {
      let body = try EncryptedPayload(
        sealing: payload, to: keys, padding: padding, provider: OpenSSLCrypto())
      return before + Array(body.text.utf8) + after
    } catch {
      throw ComposeError(.badKey, error.message)
    }
  }
}

import PushCrypto
import PushPayload
import _OpenSSLCrypto

/// The payload around a sealed one: a placeholder that makes the extension run (`_enc`, RFC 8291).
struct PayloadSeal: Sendable {
  private let before: [UInt8]
  private let after: [UInt8]

  init(notification id: String, placeholder: String, contentAvailable: Bool) {
    var aps = APS(alert: Alert(body: placeholder), mutableContent: true)
    aps.contentAvailable = contentAvailable
    // What is sealed is not shown to anyone on the way, so nothing else stands here.
    let outer = APNsPayload(aps: aps, custom: ["_nid": .string(id)]).encoded()
    before = Array("{\"\(EncryptedPayload.payloadKey)\":\"".utf8)
    after = Array("\",".utf8) + outer.dropFirst()
  }

  /// How many bytes the sealed payload may have so that all of it fits.
  func innerLimit(within limit: Int) -> Int {
    max(0, (limit - before.count - after.count) * 3 / 4 - WebPush.overhead)
  }

  func sealed(_ inner: [UInt8], to keys: SubscriptionKeys) throws(ComposeError) -> [UInt8] {
    do throws(CryptoError) {
      let body = try EncryptedPayload(sealing: inner, to: keys, provider: OpenSSLCrypto())
      return before + Array(body.text.utf8) + after
    } catch {
      throw ComposeError(.badKey, error.message)
    }
  }
}

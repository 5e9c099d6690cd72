import PushModel
import _OpenSSLCrypto

/// The header field `Martlet-Signature`, by which a receiver checks who made a call and when.
enum WebhookSignature {
  static let field = "Martlet-Signature"

  /// `t=UNIX,v1=HEX`, where HEX is HMAC-SHA256 of the time, a dot and the body.
  static func value(of body: [UInt8], secret: String, at now: Timestamp) -> String {
    let seconds = String(now.milliseconds / 1000)
    let code = OpenSSLCrypto.hmacSHA256(
      key: Array(secret.utf8), message: Array(seconds.utf8) + [UInt8(ascii: ".")] + body)
    return "t=\(seconds),v1=\(Identifiers.hex(code))"
  }
}

import PushStore
import _HTTPServer
import _OpenSSLCrypto

/// The key by which a repeated request is recognized, with a hash of the request.
struct IdempotencyKey: Sendable {
  var text: String
  /// The SHA-256 of the path without its version, a zero byte and the body.
  var fingerprint: [UInt8]

  static let reused = RequestError(
    .invalid, "this Idempotency-Key was used for another request; take a new key for each request")
}

extension Call {
  /// The request's `Idempotency-Key`, or `default` if it has none.
  ///
  /// - Throws: ``RequestError`` `.invalid` if the key is not 1 to 255 visible ASCII characters.
  func idempotencyKey(default: String? = nil) throws(RequestError) -> IdempotencyKey? {
    guard let key = request.header("Idempotency-Key") ?? `default` else { return nil }
    let isPlain = key.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    guard isPlain, (1...255).contains(key.utf8.count) else {
      throw RequestError(
        .invalid, "Idempotency-Key must be 1 to 255 visible ASCII characters, without spaces")
    }
    let path = request.path.split(separator: "/").dropFirst().joined(separator: "/")
    return IdempotencyKey(
      text: key, fingerprint: OpenSSLCrypto.sha256(Array(path.utf8) + [0] + request.body))
  }
}

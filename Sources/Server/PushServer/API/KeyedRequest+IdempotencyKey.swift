import _HTTPServer
import _OpenSSLCrypto

extension KeyedRequest {
  /// The request's `Idempotency-Key`; `nil` if it has none.
  ///
  /// Its fingerprint is the SHA-256 of the path without its version, a zero byte and the body.
  ///
  /// - Throws: ``RequestError`` `.invalid` if the key is not 1 to 255 visible ASCII characters.
  func idempotencyKey() throws(RequestError) -> IdempotencyKey? {
    guard let key = request.header("Idempotency-Key") else { return nil }
    let path = request.path.split(separator: "/").dropFirst().joined(separator: "/")
    return try IdempotencyKey(
      checking: key, fingerprint: OpenSSLCrypto.sha256(Array(path.utf8) + [0] + request.body))
  }
}

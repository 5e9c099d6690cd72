/// The key by which a repeated request is recognized, with a hash of the request.
struct IdempotencyKey: Sendable {
  var text: String
  /// A SHA-256 of what is asked for, which differs if the key is used for another request.
  var fingerprint: [UInt8]

  static let reused = RequestError(
    .invalid, "this Idempotency-Key was used for another request; take a new key for each request")
}

extension IdempotencyKey {
  /// Makes a key of a caller's text.
  ///
  /// - Throws: ``RequestError`` `.invalid` if the text is not 1 to 255 visible ASCII characters.
  init(checking text: String, fingerprint: [UInt8]) throws(RequestError) {
    let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    guard isPlain, (1...255).contains(text.utf8.count) else {
      throw RequestError(
        .invalid, "Idempotency-Key must be 1 to 255 visible ASCII characters, without spaces")
    }
    self.init(text: text, fingerprint: fingerprint)
  }
}

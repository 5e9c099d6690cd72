/// The value of a payload's `_enc`: a payload that only the device can read, as text.
///
/// The text is base64url without padding of an RFC 8291 body whose plaintext is the inner JSON payload.
/// Around it stands a payload that shows a placeholder and is `mutable-content`, so that the extension
/// runs and puts the inner one in its place.
public struct EncryptedPayload: Hashable, Sendable {
  /// The top-level key of a payload under which ``text`` stands.
  public static let payloadKey = "_enc"

  /// The encrypted body.
  public let body: [UInt8]

  /// Seals an inner payload for a device.
  ///
  /// - Parameters:
  ///   - json: The inner payload's JSON.
  ///   - subscription: The keys that the device registered.
  ///   - padding: How many zeros hide the length.
  ///   - provider: Does the mathematics.
  /// - Throws: ``CryptoError`` as ``WebPush/seal(_:to:padding:provider:)`` does.
  public init(
    sealing json: [UInt8], to subscription: SubscriptionKeys, padding: Int = 0,
    provider: some CryptoProvider
  ) throws(CryptoError) {
    body = try WebPush.seal(json, to: subscription, padding: padding, provider: provider)
  }

  /// Reads the text of a payload.
  ///
  /// - Parameter text: Base64url, strictly: no padding, no other character.
  /// - Throws: ``CryptoError``: ``CryptoError/Code/malformed`` where it is not,
  ///   ``CryptoError/Code/tooLarge`` where it holds more than ``EncryptedContent/maximumLength``.
  public init(text: String) throws(CryptoError) {
    guard text.utf8.count <= (EncryptedContent.maximumLength * 4 + 2) / 3 else { throw .tooLarge }
    guard let body = Base64URL.decode(text) else {
      throw CryptoError(
        .malformed, "\(Self.payloadKey) is not base64url without padding (RFC 4648 section 5)")
    }
    self.body = body
  }

  /// The text for the payload.
  public var text: String { Base64URL.encode(body) }

  /// Opens it on the device.
  ///
  /// - Parameters:
  ///   - keys: The device's keys.
  ///   - provider: Does the mathematics.
  /// - Returns: The inner payload's JSON, as bytes that are authentic and not yet parsed.
  /// - Throws: ``CryptoError`` as ``WebPush/open(_:with:provider:)`` does.
  public func open(
    with keys: DeviceKeys, provider: some CryptoProvider
  ) throws(CryptoError) -> [UInt8] {
    try WebPush.open(body, with: keys, provider: provider)
  }
}

/// An encrypted payload that only one device can read: the value of the key `_enc` of an outer payload.
///
/// The value is an RFC 8291 body in base64url without padding, whose plaintext is the inner JSON payload. The outer payload
/// has a placeholder alert and `mutable-content`, so that the extension runs and replaces it with the inner one.
public struct EncryptedPayload: Hashable, Sendable {
  /// The top-level key of the outer payload that has ``text`` as its value.
  public static let payloadKey = "_enc"

  /// The encrypted body.
  public let body: [UInt8]

  /// The salt of the encryption, which differs for each (RFC 8188 section 2.1).
  ///
  /// The keys are derived from it, so it cannot be changed without the device's keys.
  package var salt: [UInt8] { Array(body.prefix(EncryptedContent.Header.saltLength)) }

  /// Encrypts an inner payload for a device.
  ///
  /// - Parameters:
  ///   - json: The JSON of the inner payload.
  ///   - subscription: The keys that the device registered.
  ///   - padding: The number of zeros that hide the length.
  ///   - provider: The crypto provider.
  /// - Throws: ``CryptoError`` as ``WebPush/seal(_:to:padding:provider:)`` does.
  public init(
    sealing json: [UInt8], to subscription: SubscriptionKeys, padding: Int = 0,
    provider: some CryptoProvider
  ) throws(CryptoError) {
    body = try WebPush.seal(json, to: subscription, padding: padding, provider: provider)
  }

  /// Reads the value of ``payloadKey``.
  ///
  /// - Parameter text: Base64url without padding or other characters.
  /// - Throws: ``CryptoError``: ``CryptoError/Code/malformed`` if the text has another form, ``CryptoError/Code/tooLarge``
  ///   if it has more than ``EncryptedContent/maximumLength`` bytes.
  public init(text: String) throws(CryptoError) {
    guard text.utf8.count <= (EncryptedContent.maximumLength * 4 + 2) / 3 else { throw .tooLarge }
    guard let body = Base64URL.decode(text) else {
      throw CryptoError(
        .malformed, "\(Self.payloadKey) is not base64url without padding (RFC 4648 section 5)")
    }
    self.body = body
  }

  /// The value for ``payloadKey``.
  public var text: String { Base64URL.encode(body) }

  /// Decrypts the inner payload on the device.
  ///
  /// - Parameters:
  ///   - keys: The device's keys.
  ///   - provider: The crypto provider.
  /// - Returns: The JSON of the inner payload, which is authenticated but not parsed.
  /// - Throws: ``CryptoError`` as ``WebPush/open(_:with:provider:)`` does.
  public func open(
    with keys: DeviceKeys, provider: some CryptoProvider
  ) throws(CryptoError) -> [UInt8] {
    try WebPush.open(body, with: keys, provider: provider)
  }
}

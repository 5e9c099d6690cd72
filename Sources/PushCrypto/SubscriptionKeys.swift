/// What a sender must know of a device to seal a push for it (RFC 8291 section 2).
///
/// As JSON `{"public_key": …, "auth_secret": …}`, both base64url without padding: the form in which a
/// device registers them.
public struct SubscriptionKeys: Hashable, Sendable {
  static let publicKeyLength = 65
  static let authSecretLength = 16

  /// The device's public key: an uncompressed point of P-256, 65 bytes.
  public let publicKey: [UInt8]
  /// The secret of device and sender, 16 bytes.
  public let authSecret: [UInt8]

  /// Takes bytes of the right lengths.
  ///
  /// - Parameters:
  ///   - publicKey: An uncompressed point, 65 bytes that begin with 4.
  ///   - authSecret: 16 bytes.
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/badKey`` for another form. Whether the point
  ///   lies on the curve is what ``validate(with:)`` tells.
  public init(publicKey: [UInt8], authSecret: [UInt8]) throws(CryptoError) {
    guard publicKey.count == Self.publicKeyLength, publicKey.first == 4 else {
      throw CryptoError(
        .badKey, "public_key is not an uncompressed P-256 point (65 bytes that begin with 4)")
    }
    guard authSecret.count == Self.authSecretLength else {
      throw CryptoError(.badKey, "auth_secret does not have 16 bytes")
    }
    self.publicKey = publicKey
    self.authSecret = authSecret
  }

  /// Takes the texts that a device registers.
  ///
  /// - Parameters:
  ///   - publicKey: 65 bytes in base64url without padding.
  ///   - authSecret: 16 bytes in base64url without padding.
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/badKey`` for another form.
  public init(publicKey: String, authSecret: String) throws(CryptoError) {
    try self.init(
      publicKey: .init(keyText: publicKey, named: "public_key"),
      authSecret: .init(keyText: authSecret, named: "auth_secret"))
  }

  /// Checks what the form does not show: that the public key is on the curve.
  ///
  /// A server calls it when a device registers; sealing finds out by itself.
  ///
  /// - Parameter provider: Does the mathematics.
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/badKey`` where it is not.
  public func validate(with provider: some CryptoProvider) throws(CryptoError) {
    try provider.validate(ecdhPublicKey: publicKey)
  }
}

extension SubscriptionKeys: Codable {
  private enum CodingKeys: String, CodingKey {
    case publicKey = "public_key"
    case authSecret = "auth_secret"
  }

  /// Reads the JSON form.
  ///
  /// - Parameter decoder: Holds the two texts.
  /// - Throws: ``CryptoError`` for a text of another form, else what the decoder throws.
  public init(from decoder: any Decoder) throws {
    let texts = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      publicKey: texts.decode(String.self, forKey: .publicKey),
      authSecret: texts.decode(String.self, forKey: .authSecret))
  }

  /// Writes the JSON form, the secret with it.
  ///
  /// - Parameter encoder: Takes the two texts.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var texts = encoder.container(keyedBy: CodingKeys.self)
    try texts.encode(Base64URL.encode(publicKey), forKey: .publicKey)
    try texts.encode(Base64URL.encode(authSecret), forKey: .authSecret)
  }
}

extension SubscriptionKeys: CustomStringConvertible, CustomReflectable {
  /// The public key alone.
  public var description: String { "SubscriptionKeys(\(Base64URL.encode(publicKey)))" }

  /// Shows the public key alone.
  public var customMirror: Mirror {
    Mirror(self, children: ["publicKey": Base64URL.encode(publicKey)])
  }
}

extension [UInt8] {
  /// The bytes of a key's text; the error names the field and never shows the text.
  init(keyText text: String, named name: String) throws(CryptoError) {
    guard let bytes = Base64URL.decode(text) else {
      throw CryptoError(.badKey, "\(name) is not base64url without padding (RFC 4648 section 5)")
    }
    self = bytes
  }
}

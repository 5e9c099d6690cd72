/// The keys with which a sender encrypts pushes for a device (RFC 8291 section 2).
///
/// A device registers them in their JSON form, `{"public_key": …, "auth_secret": …}`, both in base64url without
/// padding.
public struct SubscriptionKeys: Hashable, Sendable {
  static let publicKeyLength = 65
  static let authSecretLength = 16

  /// The device's public key: an uncompressed point on P-256, 65 bytes.
  public let publicKey: [UInt8]
  /// The authentication secret that device and sender share, 16 bytes.
  public let authSecret: [UInt8]

  /// Makes keys after a check of their lengths.
  ///
  /// - Parameters:
  ///   - publicKey: An uncompressed point, 65 bytes that begin with 4.
  ///   - authSecret: 16 bytes.
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/badKey`` for another form. ``validate(with:)`` checks that the
  ///   point is on the curve.
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

  /// Reads keys from the texts that a device registers.
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

  /// Checks that the public key is on the curve.
  ///
  /// Call it when a device registers. Encrypting checks it too.
  ///
  /// - Parameter provider: The crypto provider.
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/badKey`` if it is not.
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
  /// - Parameter decoder: The decoder.
  /// - Throws: ``CryptoError`` for a value of another form, otherwise the decoder's error.
  public init(from decoder: any Decoder) throws {
    let texts = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      publicKey: texts.decode(String.self, forKey: .publicKey),
      authSecret: texts.decode(String.self, forKey: .authSecret))
  }

  /// Writes the JSON form, with the secret.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: The encoder's error.
  public func encode(to encoder: any Encoder) throws {
    var texts = encoder.container(keyedBy: CodingKeys.self)
    try texts.encode(Base64URL.encode(publicKey), forKey: .publicKey)
    try texts.encode(Base64URL.encode(authSecret), forKey: .authSecret)
  }
}

extension SubscriptionKeys: CustomStringConvertible, CustomReflectable {
  /// The public key, without the secret.
  public var description: String { "SubscriptionKeys(\(Base64URL.encode(publicKey)))" }

  /// The public key, without the secret.
  public var customMirror: Mirror {
    Mirror(self, children: ["publicKey": Base64URL.encode(publicKey)])
  }
}

extension [UInt8] {
  /// Decodes the text of a key; the error names the field and does not contain the text.
  init(keyText text: String, named name: String) throws(CryptoError) {
    guard let bytes = Base64URL.decode(text) else {
      throw CryptoError(.badKey, "\(name) is not base64url without padding (RFC 4648 section 5)")
    }
    self = bytes
  }
}

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a device keeps to open the pushes that are sealed for it.
///
/// As JSON `{"private_key": …, "public_key": …, "auth_secret": …}`, each base64url without padding:
/// 32 bytes, 65 and 16. Keep that where the extension can read it and nobody else, on Apple's systems
/// in the keychain; register ``subscription`` with the server. Neither printing nor reflection shows
/// the secrets.
public struct DeviceKeys: Hashable, Sendable {
  static let privateKeyLength = 32

  /// The private scalar, 32 bytes.
  let privateKey: [UInt8]
  /// What the device registers with the server.
  public let subscription: SubscriptionKeys

  /// Takes bytes of the right lengths; whether the halves belong together, ``validate(with:)`` tells.
  private init(privateKey: [UInt8], subscription: SubscriptionKeys) throws(CryptoError) {
    guard privateKey.count == Self.privateKeyLength else {
      throw CryptoError(.badKey, "private_key does not have 32 bytes")
    }
    self.privateKey = privateKey
    self.subscription = subscription
  }

  /// Takes keys that belong together.
  ///
  /// - Parameters:
  ///   - privateKey: The scalar, 32 bytes.
  ///   - publicKey: Its uncompressed point, 65 bytes.
  ///   - authSecret: 16 bytes.
  ///   - provider: Does the mathematics.
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/badKey`` where a length is wrong or the public
  ///   key is not that of the private one.
  public init(
    privateKey: [UInt8], publicKey: [UInt8], authSecret: [UInt8], provider: some CryptoProvider
  ) throws(CryptoError) {
    try self.init(
      privateKey: privateKey,
      subscription: SubscriptionKeys(publicKey: publicKey, authSecret: authSecret))
    try validate(with: provider)
  }

  /// Reads a key file.
  ///
  /// - Parameters:
  ///   - json: The bytes of the JSON form; more keys may stand in it.
  ///   - provider: Does the mathematics.
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/badKey`` where it is no such JSON, a length is
  ///   wrong or the public key is not that of the private one.
  public init(json: [UInt8], provider: some CryptoProvider) throws(CryptoError) {
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(json))
    } catch let error as CryptoError {
      throw error
    } catch {  // The decoder's own words could hold a piece of a secret.
      throw CryptoError(
        .badKey, "not a device's keys: expected JSON with private_key, public_key and auth_secret")
    }
    try validate(with: provider)
  }

  /// Makes the keys of a new device.
  ///
  /// - Parameter provider: Does the mathematics.
  /// - Returns: The keys.
  /// - Throws: ``CryptoError`` where the library refuses.
  public static func generate(with provider: some CryptoProvider) throws(CryptoError) -> DeviceKeys
  {
    let key = try provider.makeECDHKey()
    return try DeviceKeys(
      privateKey: key.rawRepresentation,
      subscription: SubscriptionKeys(
        publicKey: key.publicKey,
        authSecret: provider.randomBytes(SubscriptionKeys.authSecretLength)))
  }

  /// Checks what the form does not show: that the public key is that of the private one.
  ///
  /// Call it after decoding with `Codable`, which has no provider to ask; opening checks it too.
  ///
  /// - Parameter provider: Does the mathematics.
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/badKey`` where it is not.
  public func validate(with provider: some CryptoProvider) throws(CryptoError) {
    _ = try agreementKey(with: provider)
  }

  /// The private key, ready for use.
  func agreementKey(with provider: some CryptoProvider) throws(CryptoError) -> any ECDHPrivateKey {
    let key = try provider.ecdhKey(rawRepresentation: privateKey)
    guard key.publicKey == subscription.publicKey else {
      throw CryptoError(.badKey, "public_key does not belong to private_key")
    }
    return key
  }
}

extension DeviceKeys: Codable {
  private enum CodingKeys: String, CodingKey {
    case privateKey = "private_key"
  }

  /// Reads the JSON form; ``validate(with:)`` has then still to be called.
  ///
  /// - Parameter decoder: Holds the three texts.
  /// - Throws: ``CryptoError`` for a text of another form, else what the decoder throws.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.container(keyedBy: CodingKeys.self)
      .decode(String.self, forKey: .privateKey)
    try self.init(
      privateKey: .init(keyText: text, named: "private_key"),
      subscription: SubscriptionKeys(from: decoder))
  }

  /// Writes the JSON form, the secrets with it.
  ///
  /// - Parameter encoder: Takes the three texts.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    try subscription.encode(to: encoder)
    var texts = encoder.container(keyedBy: CodingKeys.self)
    try texts.encode(Base64URL.encode(privateKey), forKey: .privateKey)
  }
}

extension DeviceKeys: CustomStringConvertible, CustomReflectable {
  /// The public key alone.
  public var description: String { "DeviceKeys(\(Base64URL.encode(subscription.publicKey)))" }

  /// Shows the public key alone.
  public var customMirror: Mirror {
    Mirror(self, children: ["publicKey": Base64URL.encode(subscription.publicKey)])
  }
}

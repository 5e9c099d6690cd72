#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The keys with which a device decrypts its pushes.
///
/// The JSON form is `{"private_key": …, "public_key": …, "auth_secret": …}` with 32, 65 and 16 bytes in base64url without
/// padding. Store it where only the app and its extension can read it, on Apple platforms in the keychain, and register
/// ``subscription`` with the server. Neither printing nor reflection shows the secrets.
public struct DeviceKeys: Hashable, Sendable {
  static let privateKeyLength = 32

  /// The private scalar, 32 bytes.
  let privateKey: [UInt8]
  /// The keys to register with the server.
  public let subscription: SubscriptionKeys

  /// Makes keys after a check of their lengths; ``validate(with:)`` checks that they belong together.
  private init(privateKey: [UInt8], subscription: SubscriptionKeys) throws(CryptoError) {
    guard privateKey.count == Self.privateKeyLength else {
      throw CryptoError(.badKey, "private_key does not have 32 bytes")
    }
    self.privateKey = privateKey
    self.subscription = subscription
  }

  /// Makes keys from their bytes.
  ///
  /// - Parameters:
  ///   - privateKey: The scalar, 32 bytes.
  ///   - publicKey: Its uncompressed point, 65 bytes.
  ///   - authSecret: The authentication secret, 16 bytes.
  ///   - provider: The crypto provider.
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/badKey`` if a length is wrong, or the public key does not belong
  ///   to the private key.
  public init(
    privateKey: [UInt8], publicKey: [UInt8], authSecret: [UInt8], provider: some CryptoProvider
  ) throws(CryptoError) {
    try self.init(
      privateKey: privateKey,
      subscription: SubscriptionKeys(publicKey: publicKey, authSecret: authSecret))
    try validate(with: provider)
  }

  /// Reads the JSON form.
  ///
  /// - Parameters:
  ///   - json: The JSON; other members are ignored.
  ///   - provider: The crypto provider.
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/badKey`` if it is not such JSON, a length is wrong, or the
  ///   public key does not belong to the private key.
  public init(json: [UInt8], provider: some CryptoProvider) throws(CryptoError) {
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(json))
    } catch let error as CryptoError {
      throw error
    } catch {  // The decoder's message could contain a part of a secret.
      throw CryptoError(
        .badKey, "not the keys of a device: JSON needs private_key, public_key and auth_secret")
    }
    try validate(with: provider)
  }

  /// Makes the keys of a new device.
  ///
  /// - Parameter provider: The crypto provider.
  /// - Returns: The keys.
  /// - Throws: ``CryptoError`` if the library fails.
  public static func generate(with provider: some CryptoProvider) throws(CryptoError) -> DeviceKeys
  {
    let key = try provider.makeECDHKey()
    return try DeviceKeys(
      privateKey: key.rawRepresentation,
      subscription: SubscriptionKeys(
        publicKey: key.publicKey,
        authSecret: provider.randomBytes(SubscriptionKeys.authSecretLength)))
  }

  /// Checks that the public key belongs to the private key.
  ///
  /// Call it after decoding with `Codable`, which has no provider. Decrypting checks it too.
  ///
  /// - Parameter provider: The crypto provider.
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/badKey`` if it does not.
  public func validate(with provider: some CryptoProvider) throws(CryptoError) {
    _ = try agreementKey(with: provider)
  }

  /// The private key for key agreement.
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

  /// Reads the JSON form without ``validate(with:)``.
  ///
  /// - Parameter decoder: The decoder.
  /// - Throws: ``CryptoError`` for a value of another form, otherwise the decoder's error.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.container(keyedBy: CodingKeys.self)
      .decode(String.self, forKey: .privateKey)
    try self.init(
      privateKey: .init(keyText: text, named: "private_key"),
      subscription: SubscriptionKeys(from: decoder))
  }

  /// Writes the JSON form, with the secrets.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: The encoder's error.
  public func encode(to encoder: any Encoder) throws {
    try subscription.encode(to: encoder)
    var texts = encoder.container(keyedBy: CodingKeys.self)
    try texts.encode(Base64URL.encode(privateKey), forKey: .privateKey)
  }
}

extension DeviceKeys: CustomStringConvertible, CustomReflectable {
  /// The public key, without the secrets.
  public var description: String { "DeviceKeys(\(Base64URL.encode(subscription.publicKey)))" }

  /// The public key, without the secrets.
  public var customMirror: Mirror {
    Mirror(self, children: ["publicKey": Base64URL.encode(subscription.publicKey)])
  }
}

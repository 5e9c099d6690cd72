/// Message encryption for Web Push, so that only the device can read a message (RFC 8291).
///
/// Every message has its own key pair; the pair's public key is the key id in the header.
public enum WebPush {
  /// The number of bytes that encryption adds to the plaintext and padding of a message of one record.
  public static let overhead =
    16 + 4 + 1 + SubscriptionKeys.publicKeyLength + EncryptedContent.recordOverhead

  /// Encrypts a message as one record (section 4).
  ///
  /// - Parameters:
  ///   - plaintext: The message.
  ///   - subscription: The keys that the device registered.
  ///   - padding: The number of zeros that hide the length.
  ///   - provider: The crypto provider.
  /// - Returns: The body, ``overhead`` bytes longer than plaintext and padding.
  /// - Throws: ``CryptoError``: ``CryptoError/Code/badKey`` if the device's public key is not on the curve,
  ///   ``CryptoError/Code/tooLarge`` if the body would exceed ``EncryptedContent/maximumLength``.
  public static func seal(
    _ plaintext: [UInt8], to subscription: SubscriptionKeys, padding: Int = 0,
    provider: some CryptoProvider
  ) throws(CryptoError) -> [UInt8] {
    try seal(
      plaintext, to: subscription, padding: padding, sender: provider.makeECDHKey(),
      salt: provider.randomBytes(16), provider: provider)
  }

  static func seal(
    _ plaintext: [UInt8], to subscription: SubscriptionKeys, padding: Int,
    sender: some ECDHPrivateKey, salt: [UInt8], provider: some CryptoProvider
  ) throws(CryptoError) -> [UInt8] {
    let secret = try sender.sharedSecret(with: subscription.publicKey)
    // The message is one record, whose size must be greater than the length of its content.
    let room = min(max(0, padding), EncryptedContent.maximumLength) + plaintext.count
    return try EncryptedContent.seal(
      plaintext,
      keyingMaterial: keyingMaterial(
        secret, subscription: subscription, senderPublicKey: sender.publicKey, provider: provider),
      padding: padding,
      header: .init(
        salt: salt, recordSize: max(4096, room + EncryptedContent.recordOverhead + 1),
        keyID: sender.publicKey),
      provider: provider)
  }

  /// Decrypts a message.
  ///
  /// - Parameters:
  ///   - body: The encrypted message, of one or more records.
  ///   - keys: The device's keys.
  ///   - provider: The crypto provider.
  /// - Returns: The plaintext.
  /// - Throws: ``CryptoError``: ``CryptoError/Code/authentication`` if it was encrypted for other keys or was changed,
  ///   ``CryptoError/Code/malformed`` or ``CryptoError/Code/truncated`` if it is not such a body,
  ///   ``CryptoError/Code/badKey`` if the device's own keys do not belong together.
  public static func open(
    _ body: [UInt8], with keys: DeviceKeys, provider: some CryptoProvider
  ) throws(CryptoError) -> [UInt8] {
    try EncryptedContent.open(body, provider: provider) { (keyID) throws(CryptoError) in
      let key = try keys.agreementKey(with: provider)
      let secret: [UInt8]
      do {
        secret = try key.sharedSecret(with: keyID)
      } catch {
        throw CryptoError(
          .malformed, "the encrypted body's key id is not the sender's public key on P-256")
      }
      return keyingMaterial(
        secret, subscription: keys.subscription, senderPublicKey: keyID, provider: provider)
    }
  }

  /// Derives the keying material from the shared secret (section 3.4).
  private static func keyingMaterial(
    _ sharedSecret: [UInt8], subscription: SubscriptionKeys, senderPublicKey: [UInt8],
    provider: some CryptoProvider
  ) -> [UInt8] {
    HKDF(salt: subscription.authSecret, keyingMaterial: sharedSecret, provider: provider)
      .expand(
        info: Array("WebPush: info\0".utf8) + subscription.publicKey + senderPublicKey, count: 32)
  }
}

import PushCrypto
import RichNotifications
import _OpenSSLCrypto

/// A device's keys, and the encryption of payloads for them.
enum Sealed {
  static func make() throws -> (RichConfiguration, seal: (String) throws -> String) {
    let crypto = OpenSSLCrypto()
    let keys = try DeviceKeys.generate(with: crypto)
    var configuration = RichConfiguration()
    configuration.decryption = PayloadDecryption(crypto: crypto) { keys }
    return (
      configuration,
      { inner in
        try EncryptedPayload(
          sealing: Array(inner.utf8), to: keys.subscription, provider: crypto
        ).text
      }
    )
  }

  static let crypto: any CryptoProvider = OpenSSLCrypto()
}

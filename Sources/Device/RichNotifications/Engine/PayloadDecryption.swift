import Foundation
public import PushCrypto
import PushPayload

/// Decrypts payloads that were encrypted for this device (RFC 8291).
///
/// The encrypted part is in the key `_enc`. The decrypted payload replaces the one that arrived. No dialect and
/// no text is read from the rest, so that a relay cannot add anything.
public struct PayloadDecryption: Sendable {
  private let keys: @Sendable () throws -> DeviceKeys
  let crypto: any CryptoProvider

  /// Creates a decryption.
  ///
  /// - Parameters:
  ///   - crypto: The cryptographic primitives; `CryptoKitProvider` on Apple platforms.
  ///   - keys: Reads the device's keys, once for each encrypted notification. Keep them in the keychain with
  ///     `kSecAttrAccessibleAfterFirstUnlock`, because notifications arrive while the phone is locked.
  public init(crypto: any CryptoProvider, keys: @escaping @Sendable () throws -> DeviceKeys) {
    self.crypto = crypto
    self.keys = keys
  }

  /// Creates a decryption with the keys of the keychain.
  ///
  /// - Parameters:
  ///   - crypto: The cryptographic primitives; `CryptoKitProvider` on Apple platforms.
  ///   - store: The keychain item in which the app has saved its keys.
  public init(crypto: any CryptoProvider, store: DeviceKeyStore) {
    self.init(crypto: crypto) {
      guard let keys = try store.read() else {
        throw DecryptionFailure(
          "no-key",
          "the keychain has no keys of this device; the app has to save them in the access group that it "
            + "shares with the extension")
      }
      return keys
    }
  }

  /// Decrypts the value of `_enc`.
  ///
  /// - Returns: The payload, and the salt of its encryption.
  func decrypt(
    _ encrypted: JSONValue
  ) throws(DecryptionFailure) -> (payload: JSONValue, salt: [UInt8]) {
    guard let text = encrypted.string else {
      throw DecryptionFailure("malformed", "_enc is \(encrypted.typeName); it must be a string")
    }
    let keys: DeviceKeys
    do {
      keys = try self.keys()
    } catch let error as DecryptionFailure {
      throw error
    } catch let error as KeychainError {
      throw DecryptionFailure("no-key", error.message)
    } catch {
      throw DecryptionFailure("no-key", "the device's keys cannot be read")
    }
    do throws(CryptoError) {
      let sealed = try EncryptedPayload(text: text)
      let plain = try sealed.open(with: keys, provider: crypto)
      guard let json = try? JSONValue(parsing: Data(plain)), json.object != nil else {
        throw CryptoError(.malformed, "the decrypted content of _enc is not a JSON object")
      }
      return (json, sealed.salt)
    } catch {
      throw DecryptionFailure("\(error.code)", error.message)
    }
  }
}

/// The reason why an encrypted payload could not be decrypted.
struct DecryptionFailure: Error {
  /// A code for reports.
  var reason: String
  /// A description that contains nothing of the keys or the payload.
  var message: String

  init(_ reason: String, _ message: String) {
    self.reason = reason
    self.message = message
  }
}

import Foundation
public import PushCrypto
import PushPayload

/// Decrypts payloads that were encrypted for this device (RFC 8291).
///
/// The encrypted part is in the key `_enc`. The decrypted payload replaces the one that arrived: no dialect and
/// no text is read from outside it, so that a relay cannot add anything.
public struct PayloadDecryption: Sendable {
  private let keys: @Sendable () throws -> DeviceKeys
  private let crypto: any CryptoProvider

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

  func decrypt(_ encrypted: JSONValue) throws(DecryptionFailure) -> JSONValue {
    guard let text = encrypted.string else {
      throw DecryptionFailure("malformed", "_enc is \(encrypted.typeName); it must be a string")
    }
    let keys: DeviceKeys
    do { keys = try self.keys() } catch {
      throw DecryptionFailure("no-key", "the device's keys cannot be read")
    }
    let plain: [UInt8]
    do { plain = try EncryptedPayload(text: text).open(with: keys, provider: crypto) } catch {
      throw DecryptionFailure("\(error.code)", error.message)
    }
    guard let json = try? JSONValue(parsing: Data(plain)), json.object != nil else {
      throw DecryptionFailure("malformed", "the decrypted content of _enc is not a JSON object")
    }
    return json
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

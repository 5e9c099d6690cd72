import Foundation
public import PushCrypto
import PushPayload

/// Opens payloads that were sealed to this device (RFC 8291), before anything is read of them.
///
/// The sealed part stands under `_enc`. What is inside replaces what arrived: no dialect and no text is
/// read from outside it, so that a relay can add nothing.
public struct PayloadDecryption: Sendable {
  private let keys: @Sendable () throws -> DeviceKeys
  private let crypto: any CryptoProvider

  /// Makes one.
  ///
  /// - Parameters:
  ///   - crypto: The mathematics: CryptoKit's on Apple's systems.
  ///   - keys: Reads the device's keys, once for each encrypted notification; from the keychain with
  ///     `kSecAttrAccessibleAfterFirstUnlock`, since notifications arrive at a locked phone.
  public init(crypto: any CryptoProvider, keys: @escaping @Sendable () throws -> DeviceKeys) {
    self.crypto = crypto
    self.keys = keys
  }

  func open(_ sealed: JSONValue) throws(DecryptionFailure) -> JSONValue {
    guard let text = sealed.string else {
      throw DecryptionFailure("malformed", "_enc is \(sealed.typeName); it takes a string")
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
      throw DecryptionFailure("malformed", "what is inside _enc is no JSON object")
    }
    return json
  }
}

/// Why an encrypted payload stays closed.
struct DecryptionFailure: Error {
  /// A word for reports.
  var reason: String
  /// What happened, in words; nothing of keys or payload.
  var message: String

  init(_ reason: String, _ message: String) {
    self.reason = reason
    self.message = message
  }
}

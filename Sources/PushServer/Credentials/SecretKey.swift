package import PushStore
import _OpenSSLCrypto

/// The server's secret, which encrypts the apps' APNs keys and the webhooks' secrets in the store.
///
/// Without it a copy of the database cannot push. An encrypted value is one byte for the format, 1,
/// followed by what AES-256-GCM makes of the text. The id of the value's owner is authenticated
/// with it, so that no value can be moved to another owner.
package struct SecretKey: Sendable {
  /// The length of the secret in bytes: 32.
  package static let length = AES256GCM.keyLength
  private static let format: UInt8 = 1

  private let cipher: AES256GCM

  /// Returns `nil` where `bytes` is not ``length`` bytes long.
  package init?(_ bytes: [UInt8]) {
    guard let cipher = AES256GCM(key: bytes) else { return nil }
    self.cipher = cipher
  }

  package static func randomBytes() -> [UInt8] { OpenSSLCrypto.randomBytes(length) }

  /// Encrypts a text such that only ``open(_:for:)`` with the same owner decrypts it.
  package func seal(_ text: String, for owner: String) -> [UInt8] {
    [Self.format] + cipher.seal(Array(text.utf8), authenticating: Array(owner.utf8))
  }

  /// Decrypts what ``seal(_:for:)`` encrypted.
  ///
  /// - Returns: `nil` where another secret encrypted it, or for another owner.
  func open(_ sealed: [UInt8], for owner: String) -> String? {
    guard sealed.first == Self.format else { return nil }
    return cipher.open(Array(sealed.dropFirst()), authenticating: Array(owner.utf8))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The text of an app's p8 file, in PEM.
  package func privateKey(of app: App) throws(Mismatch) -> String {
    guard Self.hasSealed(app) else { return String(decoding: app.sealedKey, as: UTF8.self) }
    guard let text = open(app.sealedKey, for: app.id) else { throw Mismatch(app: app.id) }
    return text
  }

  /// Returns whether an app's key is encrypted; the first versions stored it in the clear.
  ///
  /// A PEM text begins with white space or a later character, so lower bytes are free for formats.
  package static func hasSealed(_ app: App) -> Bool {
    app.sealedKey.first.map { $0 < UInt8(ascii: "\t") } ?? false
  }

  /// Encrypts every app's key that the store has in the clear.
  package func sealClearKeys(in store: any PushStore) async throws {
    for app in try await store.apps() where !Self.hasSealed(app) {
      try await store.replaceKey(of: app.id, with: seal(try privateKey(of: app), for: app.id))
    }
  }

  /// An app's key that this secret did not encrypt.
  package struct Mismatch: Error, Sendable, CustomStringConvertible {
    package var app: String

    package var description: String {
      "the p8 key of app \(app) was sealed with another secret key, or was changed since"
    }
  }
}

/// The description and the mirror show no byte of the secret, so that no log line or dump does.
extension SecretKey: CustomStringConvertible, CustomReflectable {
  package var description: String { "SecretKey" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

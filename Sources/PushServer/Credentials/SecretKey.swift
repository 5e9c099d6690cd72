package import PushStore
import _OpenSSLCrypto

/// What seals the apps' p8 keys in the store, so that whoever copies the database cannot push.
///
/// A sealed key is one byte for the format, 1, and what AES-256-GCM makes of the PEM text. The app's
/// id is authenticated with it, so that no key can be moved to another app.
package struct SecretKey: Sendable {
  package static let length = AES256GCM.keyLength
  private static let format: UInt8 = 1

  private let cipher: AES256GCM

  /// `nil` where there are not 32 bytes.
  package init?(_ bytes: [UInt8]) {
    guard let cipher = AES256GCM(key: bytes) else { return nil }
    self.cipher = cipher
  }

  package static func randomBytes() -> [UInt8] { OpenSSLCrypto.randomBytes(length) }

  package func seal(_ privateKey: String, for app: String) -> [UInt8] {
    [Self.format] + cipher.seal(Array(privateKey.utf8), authenticating: Array(app.utf8))
  }

  /// What ``seal(_:for:)`` sealed; `nil` where this secret did not, or not for that.
  func open(_ sealed: [UInt8], for owner: String) -> String? {
    guard sealed.first == Self.format else { return nil }
    return cipher.open(Array(sealed.dropFirst()), authenticating: Array(owner.utf8))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The PEM text of an app's p8 file.
  package func privateKey(of app: App) throws(Mismatch) -> String {
    guard Self.hasSealed(app) else { return String(decoding: app.sealedKey, as: UTF8.self) }
    let sealed = Array(app.sealedKey.dropFirst())
    guard app.sealedKey.first == Self.format,
      let text = cipher.open(sealed, authenticating: Array(app.id.utf8))
    else { throw Mismatch(app: app.id) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether the key is not in the clear, as the first versions stored it.
  ///
  /// A text begins with white space or later characters, so what comes before is for formats.
  package static func hasSealed(_ app: App) -> Bool {
    app.sealedKey.first.map { $0 < UInt8(ascii: "\t") } ?? false
  }

  package func sealClearKeys(in store: any PushStore) async throws {
    for app in try await store.apps() where !Self.hasSealed(app) {
      try await store.replaceKey(of: app.id, with: seal(try privateKey(of: app), for: app.id))
    }
  }

  /// A key that this secret did not seal.
  package struct Mismatch: Error, Sendable, CustomStringConvertible {
    package var app: String

    package var description: String {
      "the p8 key of app \(app) was sealed with another secret key, or was changed since"
    }
  }
}

/// Neither a log line nor a dump of a value that holds it shows a byte of it.
extension SecretKey: CustomStringConvertible, CustomReflectable {
  package var description: String { "SecretKey" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

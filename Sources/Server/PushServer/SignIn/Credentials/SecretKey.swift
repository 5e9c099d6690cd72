package import PushModel
import _OpenSSLCrypto

/// The server's secret, which encrypts the secrets in the store and the values that the dashboard's users keep.
///
/// Without it, a copy of the database cannot push. An encrypted value is the mark of the secret, followed by the
/// output of AES-256-GCM with the key of the value's purpose. The id of the value's owner is authenticated with
/// it, so that no value can be moved to another owner.
///
/// While the secret is rotated there are two. Each opens its own values.
package struct SecretKey: Sendable {
  /// The secret in use, or two while it is rotated.
  package struct Secrets: Sendable {
    package var newest: Secret
    package var older: Secret?

    /// Reads one secret of 32 bytes, or two with the newer first; `nil` if there is another number of bytes.
    package init?(_ bytes: [UInt8]) {
      guard let newest = Secret(bytes.prefix(Secret.length)) else { return nil }
      self.newest = newest
      guard bytes.count > Secret.length else { return }
      guard let older = Secret(bytes.dropFirst(Secret.length)) else { return nil }
      self.older = older
    }

    fileprivate init(_ secret: Secret) { newest = secret }

    /// The secret that sealed a value, or that a store's mark identifies.
    package func named(by sealed: [UInt8]) -> Secret? {
      [newest, older].compactMap { $0 }.first { sealed.starts(with: $0.mark) }
    }
  }

  private let secrets: @Sendable () -> Secrets

  /// Makes a key of the bytes that ``Secrets/init(_:)`` reads.
  package init?(_ bytes: [UInt8]) {
    guard let secrets = Secrets(bytes) else { return nil }
    self.init { secrets }
  }

  /// Makes a key of secrets that are read at each use.
  package init(_ secrets: @escaping @Sendable () -> Secrets) { self.secrets = secrets }

  /// Makes a new secret.
  package static func randomBytes() -> [UInt8] { OpenSSLCrypto.randomBytes(Secret.length) }

  /// The key with only the secret that a store uses for its values.
  ///
  /// - Throws: ``StoreError`` if this key does not have that secret.
  package func inUse(in store: any PushStore) async throws -> SecretKey {
    guard let mark = try await store.sealMark() else { return self }
    guard let secret = secrets().named(by: mark) else {
      throw StoreError(
        .failed,
        "the store's values were sealed with another secret key than this node has; copy the file"
          + " secret.key from the node where it was rotated")
    }
    return SecretKey { Secrets(secret) }
  }

  /// Encrypts a text so that only ``open(_:as:for:)`` with the same purpose and owner decrypts it.
  ///
  /// During a rotation, the older secret is used, because every node has it.
  package func seal(
    _ text: String, as purpose: Secret.Purpose = .apnsKey, for owner: String
  ) -> [UInt8] {
    let secrets = secrets()
    return (secrets.older ?? secrets.newest).seal(text, as: purpose, for: owner)
  }

  /// Decrypts what ``seal(_:as:for:)`` encrypted.
  ///
  /// - Returns: The text; `nil` if it was encrypted with another secret, or for another purpose or owner.
  func open(_ sealed: [UInt8], as purpose: Secret.Purpose, for owner: String) -> String? {
    secrets().named(by: sealed)?.open(sealed, as: purpose, for: owner)
  }

  /// Whether a secret encrypted the value that this key does not have: one that was rotated out, or another server's.
  func isForeign(_ sealed: [UInt8]) -> Bool {
    Secret.isSealed(sealed) && secrets().named(by: sealed) == nil
  }

  /// The text of an app's p8 file, in PEM.
  package func privateKey(of app: App) throws(Mismatch) -> String {
    guard let text = open(app.sealedKey, as: .apnsKey, for: app.id) else {
      throw Mismatch(value: "the p8 key of app \(app.id)")
    }
    return text
  }

  /// Decrypts a webhook's secret; `nil` if another secret key encrypted it.
  func secret(of webhook: Webhook) -> String? {
    open(webhook.sealedSecret, as: .webhookSecret, for: webhook.id)
  }

  /// Decrypts a value of the store, and encrypts it with `newer`.
  ///
  /// - Throws: ``Mismatch`` if the value cannot be decrypted.
  package func reseal(
    _ value: SealedValue, with newer: SecretKey
  ) throws(Mismatch) -> [UInt8] {
    let (sealed, purpose, owner, name) =
      switch value {
      case .apnsKey(let app, let sealed):
        (sealed, Secret.Purpose.apnsKey, app, "the p8 key of app \(app)")
      case .webhookSecret(let webhook, let sealed):
        (sealed, Secret.Purpose.webhookSecret, webhook, "the secret of webhook \(webhook)")
      case .secondFactor(let account, let sealed):
        (sealed, Secret.Purpose.secondFactor, account, "the second factor of account \(account)")
      }
    guard let text = open(sealed, as: purpose, for: owner) else { throw Mismatch(value: name) }
    return newer.seal(text, as: purpose, for: owner)
  }

  /// A stored value that this secret did not encrypt.
  package struct Mismatch: Error, Sendable, CustomStringConvertible {
    /// A description of the value, such as "the p8 key of app 5f…".
    package var value: String

    package var description: String {
      "\(value) was sealed with another secret key, or was changed since"
    }
  }
}

/// The description and the mirror show no byte of the secret, so that logs and dumps do not contain it.
extension SecretKey: CustomStringConvertible, CustomReflectable {
  package var description: String { "SecretKey" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

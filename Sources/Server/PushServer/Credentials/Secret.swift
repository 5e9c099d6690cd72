import PushCrypto
import _OpenSSLCrypto

/// One secret of 32 random bytes, of which a key for each purpose is derived.
///
/// The keys are outputs of HKDF (RFC 5869), so none of them says anything of another one or of the
/// secret, and a value that was sealed for one purpose opens for no other.
package struct Secret: Sendable {
  /// What a derived key is for; the raw value is the `info` of its derivation.
  package enum Purpose: String, CaseIterable, Sendable {
    /// The apps' APNs keys in the store.
    case apnsKey = "martlet/1/apns-key"
    /// The webhooks' secrets in the store.
    case webhookSecret = "martlet/1/webhook-secret"
    /// The session cookies of the dashboard.
    case session = "martlet/1/session"
    /// The tokens with which the dashboard undoes a deletion.
    case undo = "martlet/1/undo"
    /// The secrets of people's one-time passwords.
    case secondFactor = "martlet/1/second-factor"
  }

  /// The length of a secret in bytes: 32.
  package static let length = 32
  /// The format of sealed values: 1 was of an unreleased version, without derived keys.
  private static let format: UInt8 = 2

  /// The first bytes of each value that this secret seals, by which the secret is found: the format
  /// and 8 bytes that are derived like a key.
  package let mark: [UInt8]
  private let apnsKey, webhookSecret, session, undo, secondFactor: AES256GCM

  /// Returns `nil` where `bytes` is not ``length`` bytes long.
  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == Self.length else { return nil }
    let derivation = HKDF(salt: [], keyingMaterial: Array(bytes), provider: OpenSSLCrypto())
    func cipher(_ purpose: Purpose) -> AES256GCM? {
      let info = Array(purpose.rawValue.utf8)
      return AES256GCM(key: derivation.expand(info: info, count: AES256GCM.keyLength))
    }
    guard let apnsKey = cipher(.apnsKey), let webhookSecret = cipher(.webhookSecret),
      let session = cipher(.session), let undo = cipher(.undo),
      let secondFactor = cipher(.secondFactor)
    else { return nil }
    (self.apnsKey, self.webhookSecret) = (apnsKey, webhookSecret)
    (self.session, self.undo, self.secondFactor) = (session, undo, secondFactor)
    mark = [Self.format] + derivation.expand(info: Array("martlet/1/mark".utf8), count: 8)
  }

  /// Whether bytes have the form of a sealed value, whichever secret sealed them.
  static func isSealed(_ bytes: [UInt8]) -> Bool { bytes.first == format && bytes.count > 9 }

  private func cipher(for purpose: Purpose) -> AES256GCM {
    switch purpose {
    case .apnsKey: apnsKey
    case .webhookSecret: webhookSecret
    case .session: session
    case .undo: undo
    case .secondFactor: secondFactor
    }
  }

  /// Encrypts a text such that it opens for the same purpose and owner only.
  func seal(_ text: String, as purpose: Purpose, for owner: String) -> [UInt8] {
    mark + cipher(for: purpose).seal(Array(text.utf8), authenticating: Array(owner.utf8))
  }

  /// Decrypts what ``seal(_:as:for:)`` encrypted; `nil` where another secret did, or for another
  /// purpose or owner.
  func open(_ sealed: [UInt8], as purpose: Purpose, for owner: String) -> String? {
    guard sealed.starts(with: mark) else { return nil }
    return cipher(for: purpose)
      .open(Array(sealed.dropFirst(mark.count)), authenticating: Array(owner.utf8))
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The description and the mirror show no byte of the secret, so that no log line or dump does.
extension Secret: CustomStringConvertible, CustomReflectable {
  package var description: String { "Secret" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

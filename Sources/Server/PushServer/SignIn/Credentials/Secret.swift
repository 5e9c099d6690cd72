import PushCrypto
import _OpenSSLCrypto

/// One secret of 32 random bytes, from which a key for each purpose is derived.
///
/// The keys are outputs of HKDF (RFC 5869), so none of them reveals anything about another one or
/// about the secret. A value that was sealed for one purpose cannot be opened for another.
package struct Secret: Sendable {
  /// The purpose of a derived key; the raw value is the `info` of its derivation.
  package enum Purpose: String, CaseIterable, Sendable {
    /// The apps' APNs keys in the store.
    case apnsKey = "martlet/1/apns-key"
    /// The webhooks' secrets in the store.
    case webhookSecret = "martlet/1/webhook-secret"
    /// The session cookies of the dashboard.
    case session = "martlet/1/session"
    /// The tokens with which people undo a deletion in the dashboard.
    case undo = "martlet/1/undo"
    /// The secrets of people's one-time passwords.
    case secondFactor = "martlet/1/second-factor"
  }

  /// The length of a secret in bytes: 32.
  package static let length = 32
  /// The format of sealed values; format 1, without derived keys, was never released.
  private static let format: UInt8 = 2

  /// The first bytes of each value that this secret seals, which identify the secret: the format
  /// and 8 bytes that are derived like a key.
  package let mark: [UInt8]
  private let apnsKey, webhookSecret, session, undo, secondFactor: AES256GCM

  /// Returns `nil` if `bytes` is not ``length`` bytes long.
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

  /// Whether bytes have the form of a sealed value of any secret.
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

  /// Encrypts a text so that it can be opened only for the same purpose and owner.
  func seal(_ text: String, as purpose: Purpose, for owner: String) -> [UInt8] {
    mark + cipher(for: purpose).seal(Array(text.utf8), authenticating: Array(owner.utf8))
  }

  /// Decrypts a text that ``seal(_:as:for:)`` encrypted; `nil` if the secret, the purpose or the
  /// owner differs.
  func open(_ sealed: [UInt8], as purpose: Purpose, for owner: String) -> String? {
    guard sealed.starts(with: mark) else { return nil }
    return cipher(for: purpose)
      .open(Array(sealed.dropFirst(mark.count)), authenticating: Array(owner.utf8))
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The description and the mirror show no byte of the secret, so that logs and dumps do not contain it.
extension Secret: CustomStringConvertible, CustomReflectable {
  package var description: String { "Secret" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

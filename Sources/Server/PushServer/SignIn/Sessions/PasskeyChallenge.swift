import PushCrypto
import PushModel
import PushPayload
import _OpenSSLCrypto

/// The random bytes that an authenticator signs, sealed in a form.
///
/// A node that did not make them can check them, and they are worth nothing in another session.
struct PasskeyChallenge: Sendable, Equatable {
  /// The purpose of a challenge: one of the sign-in page, which asks for no password, cannot add a passkey.
  enum Purpose: String {
    case signIn = "sign in"
    case addition = "add a passkey"
  }

  /// The time that a person has to answer, from the opening of the page.
  static let lifetime = Duration.seconds(900)

  let bytes: [UInt8]
  private let expiresAt: Timestamp

  init(at now: Timestamp) {
    bytes = OpenSSLCrypto.randomBytes(32)
    expiresAt = now + Self.lifetime
  }

  /// Opens the text that a form has sent; `nil` if it is of another session or too old.
  init?(
    sealed text: String, with secret: SecretKey, to purpose: Purpose, for session: Session,
    at now: Timestamp
  ) {
    guard
      let value = SealedMembers(text, with: secret, for: Self.owner(session, purpose), at: now),
      let bytes = value["challenge"]?.string.flatMap({ Base64URL.decode($0) })
    else { return nil }
    self.bytes = bytes
    expiresAt = value.expiresAt
  }

  func sealed(
    with secret: SecretKey, to purpose: Purpose, for session: Session
  ) -> String {
    SealedMembers(["challenge": .string(Base64URL.encode(bytes))], until: expiresAt)
      .sealed(with: secret, for: Self.owner(session, purpose))
  }

  private static func owner(_ session: Session, _ purpose: Purpose) -> String {
    "passkey to \(purpose.rawValue) of \(Identifiers.hex(session.id))"
  }
}

import PushCrypto
import PushPayload
import PushStore
import _OpenSSLCrypto

/// The random bytes that an authenticator signs, which a form carries sealed: a node that did not make them can check
/// them, and they are worth nothing in another session.
struct PasskeyChallenge: Sendable, Equatable {
  /// What is signed: a challenge of the sign-in page, which asks for no password, adds no passkey.
  enum Purpose: String {
    case signIn = "sign in"
    case addition = "add a passkey"
  }

  /// The time that a person has, from the opening of the page.
  static let lifetime = Duration.seconds(900)

  let bytes: [UInt8]
  private let expiresAt: Timestamp

  init(at now: Timestamp) {
    bytes = OpenSSLCrypto.randomBytes(32)
    expiresAt = now + Self.lifetime
  }

  /// Opens what a form has sent; `nil` where it is of another session or too old.
  init?(
    sealed text: String, with secret: SecretKey, to purpose: Purpose, for session: Session,
    at now: Timestamp
  ) {
    guard let sealed = Base64URL.decode(text),
      let text = secret.open(sealed, as: .session, for: Self.owner(session, purpose)),
      let value = try? JSONValue(parsing: text),
      let expiry = value["until"]?.integer, now < Timestamp(milliseconds: expiry),
      let bytes = value["challenge"]?.string.flatMap({ Base64URL.decode($0) })
    else { return nil }
    self.bytes = bytes
    expiresAt = Timestamp(milliseconds: expiry)
  }

  func sealed(
    with secret: SecretKey, to purpose: Purpose, for session: Session
  ) -> String {
    let value: JSONValue = [
      "challenge": .string(Base64URL.encode(bytes)), "until": .integer(expiresAt.milliseconds),
    ]
    let text = String(decoding: value.serialized(), as: UTF8.self)
    return Base64URL.encode(secret.seal(text, as: .session, for: Self.owner(session, purpose)))
  }

  private static func owner(_ session: Session, _ purpose: Purpose) -> String {
    "passkey to \(purpose.rawValue) of \(Identifiers.hex(session.id))"
  }
}

import PushCrypto
import PushModel

/// The secret of a second factor that a person sets up, which the page keeps, sealed, until the first code is entered.
struct SecondFactorOffer: Sendable {
  let password: OneTimePassword

  /// Makes a new secret.
  init() { password = OneTimePassword(secret: OneTimePassword.makeSecret()) }

  /// Opens what a page has kept; `nil` if it is damaged, or of another person or session.
  init?(sealed text: String, with secret: SecretKey, for person: Person, in session: Session) {
    guard let bytes = Base64URL.decode(text),
      let opened = secret.open(bytes, as: .secondFactor, for: Self.owner(person, session)),
      let password = OneTimePassword(sealedText: opened)
    else { return nil }
    self.password = password
  }

  /// The text that the page keeps.
  func sealed(with secret: SecretKey, for person: Person, in session: Session) -> String {
    Base64URL.encode(
      secret.seal(password.sealedText, as: .secondFactor, for: Self.owner(person, session)))
  }

  /// The owner of the sealed secret: this session alone.
  private static func owner(_ person: Person, _ session: Session) -> String {
    "\(person.id)/\(session.formToken)"
  }
}

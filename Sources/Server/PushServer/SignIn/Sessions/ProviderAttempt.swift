import PushCrypto
import PushModel
import PushPayload
import _OpenSSLCrypto

/// A sign-in with a provider that has begun, which the browser keeps, encrypted, while the provider asks its user.
///
/// The provider leads the browser back from another site, and browsers then send only cookies that are
/// `SameSite=Lax`. This cookie opens nothing by itself.
struct ProviderAttempt: Sendable, Equatable {
  /// The purpose of the sign-in.
  enum Goal: Sendable, Equatable {
    /// Signs in, and then opens the path or submits the form.
    case signIn(next: String?, savedForm: String?)
    /// Uses an invitation, or a link for a new password, by its token.
    case invitation(String)
    /// Connects the provider to the account that has a session with this hash.
    case connection(session: [UInt8])
  }

  /// The path to which the provider leads the browser back, as it is registered with the provider.
  static let callbackPath = "/sign-in/provider/callback"
  /// The time that a person has for the provider's pages.
  static let lifetime = Duration.seconds(600)
  /// The largest size of a saved form in bytes, which leaves room in the cookie for the rest.
  static let savedFormLimit = 2400
  /// The largest size in bytes of the path to open after signing in.
  static let nextLimit = 300
  /// The owner of the sealed value, which belongs to nobody in particular.
  private static let owner = "sign-in with a provider"

  let secrets: OpenIDClient.Secrets
  let goal: Goal
  /// The name under which the store remembers that the attempt was used.
  var id: [UInt8] { OpenSSLCrypto.sha256(Array(secrets.state.utf8)) }
  let expiresAt: Timestamp

  init(for goal: Goal, at now: Timestamp) {
    secrets = .make()
    self.goal = goal
    expiresAt = now + Self.lifetime
  }

  /// Opens what a browser has kept; `nil` if it is absent, of another secret, or too old.
  init?(sealed text: String?, with secret: SecretKey, at now: Timestamp) {
    guard let value = SealedMembers(text, with: secret, for: Self.owner, at: now),
      let state = value["state"]?.string, let nonce = value["nonce"]?.string,
      let verifier = value["verifier"]?.string
    else { return nil }
    secrets = .init(state: state, nonce: nonce, verifier: verifier)
    expiresAt = value.expiresAt
    if let token = value["invitation"]?.string {
      goal = .invitation(token)
    } else if let session = value["session"]?.string.flatMap({ Base64URL.decode($0) }) {
      goal = .connection(session: session)
    } else {
      goal = .signIn(next: value["next"]?.string, savedForm: value["kept"]?.string)
    }
  }

  /// Whether a state, with which a provider has answered, is that of the attempt; the comparison takes constant time.
  func hasState(_ state: String) -> Bool {
    OpenSSLCrypto.constantTimeEqual(Array(state.utf8), Array(secrets.state.utf8))
  }

  /// The text that the browser keeps.
  func sealed(with secret: SecretKey) -> String {
    var members: [String: JSONValue] = [
      "state": .string(secrets.state), "nonce": .string(secrets.nonce),
      "verifier": .string(secrets.verifier),
    ]
    switch goal {
    case .signIn(let next, let savedForm):
      members["next"] = next.flatMap { $0.utf8.count <= Self.nextLimit ? .string($0) : nil }
      members["kept"] = savedForm.flatMap {
        $0.utf8.count <= Self.savedFormLimit ? .string($0) : nil
      }
    case .invitation(let token): members["invitation"] = .string(token)
    case .connection(let session): members["session"] = .string(Base64URL.encode(session))
    }
    return SealedMembers(members, until: expiresAt).sealed(with: secret, for: Self.owner)
  }
}

import PushCrypto
import PushModel
import PushPayload
import _OpenSSLCrypto

/// A dashboard session, which the browser keeps, encrypted.
///
/// It is sealed with the server's secret key, so nobody else can read or forge one. Every node with the
/// same secret accepts it until it expires or its user signs out. It holds the hashes of API keys, or the token of
/// a person's session. Both are looked up at every request, so that revoking a key or ending a session takes effect
/// at once.
struct Session: Sendable, Equatable {
  /// The time after signing in at which a session ends, even if it is in use.
  static let lifetime = Duration.seconds(12 * 3600)
  /// The largest number of keys in a session, which keeps the cookie below 2 KB; one more replaces the oldest.
  static let maximumKeyCount = 16
  /// The owner of the sealed value, which belongs to nobody in particular.
  private static let owner = "dashboard session"

  /// The hashes of the keys, the latest first.
  private(set) var keys: [[UInt8]] = []
  /// The token of a person's session, whose hash is in the store; `nil` if the session is one of keys.
  private(set) var account: [UInt8]?
  /// Whether the person has shown a credential of this server to open the session; a provider may have asked for nothing.
  private(set) var isProven = false
  /// The token that every form must contain, against cross-site request forgery.
  let formToken: String
  private(set) var expiresAt: Timestamp

  init(at now: Timestamp) {
    formToken = Identifiers.hex(OpenSSLCrypto.randomBytes(16))
    expiresAt = now + Self.lifetime
  }

  /// Opens what a browser has kept; `nil` if it is absent, of another secret, or too old.
  init?(sealed text: String?, with secret: SecretKey, at now: Timestamp) {
    guard let value = SealedMembers(text, with: secret, for: Self.owner, at: now),
      let token = value["token"]?.string
    else { return nil }
    account = value["account"]?.string.flatMap { Base64URL.decode($0) }
    isProven = value["proven"]?.bool ?? false
    keys = (value["keys"]?.array ?? []).compactMap { $0.string.flatMap { Base64URL.decode($0) } }
    formToken = token
    expiresAt = value.expiresAt
  }

  /// The name under which the store remembers that the session was ended.
  var id: [UInt8] { OpenSSLCrypto.sha256(Array(formToken.utf8)) }

  /// A new session of a person, with a new token and a form token that nobody can know.
  static func ofPerson(at now: Timestamp, isProven: Bool) -> Session {
    var session = Session(at: now)
    session.isProven = isProven
    session.account = OpenSSLCrypto.randomBytes(32)
    return session
  }

  /// The time after signing in for which users need not show again who they are.
  static let freshTime = Duration.seconds(600)

  /// Whether its user has just signed in.
  func isFresh(at now: Timestamp) -> Bool {
    expiresAt.since(now) > Self.lifetime - Self.freshTime
  }

  /// The hash by which the store knows the person's session.
  var accountHash: [UInt8]? { account.map(OpenSSLCrypto.sha256) }

  mutating func add(key hash: [UInt8]) {
    keys = Array(([hash] + keys.filter { $0 != hash }).prefix(Self.maximumKeyCount))
  }

  /// Whether a form's token is that of this session; the comparison takes constant time.
  func hasFormToken(_ token: String?) -> Bool {
    OpenSSLCrypto.constantTimeEqual(Array((token ?? "").utf8), Array(formToken.utf8))
  }

  /// The text that the browser keeps.
  func sealed(with secret: SecretKey) -> String {
    var members: [String: JSONValue] = [
      "keys": .array(keys.map { .string(Base64URL.encode($0)) }), "token": .string(formToken),
    ]
    members["account"] = account.map { .string(Base64URL.encode($0)) }
    if isProven { members["proven"] = true }
    return SealedMembers(members, until: expiresAt).sealed(with: secret, for: Self.owner)
  }
}

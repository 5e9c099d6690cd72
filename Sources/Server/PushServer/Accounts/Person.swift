import PushStore

/// The person who makes a request in the dashboard, as the audit log names them.
struct Person: Hashable, Sendable {
  var id: String
  var name: String
  /// The hash of the session's token.
  var session: [UInt8]

  init(_ account: Account, session: [UInt8]) {
    id = account.id
    name = account.displayName
    self.session = session
  }

  /// The key that stands for the person where the API asks for one; the person's permissions were checked before.
  func key(app: String, at now: Timestamp) -> APIKey {
    APIKey(id: id, app: app, role: .admin, hash: [], createdAt: now)
  }
}

extension Account {
  /// The most characters of a person's name.
  package static let nameLimit = 100

  /// The name, or the email address before the person has said one.
  var displayName: String { name.isEmpty ? email : name }
}

extension AccountSession {
  /// How long a session is kept that nobody uses.
  static let idleTime = Duration.seconds(2 * 3600)
  /// The time in which a code has to be entered after the password.
  static let confirmationTime = Duration.seconds(600)
  /// The time after which a session in use is noted as such.
  static let touchInterval = Duration.seconds(300)

  func isIdle(at now: Timestamp) -> Bool { now.since(seenAt) >= Self.idleTime }
}

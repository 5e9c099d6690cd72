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

  /// A key with the person's id, for code that needs one; the person's permissions were checked before.
  func key(app: String, at now: Timestamp) -> APIKey {
    APIKey(id: id, app: app, role: .admin, hash: [], createdAt: now)
  }
}

extension Account {
  /// The most characters of a person's name.
  package static let nameLimit = 100

  /// The name, or the email address if the person has not entered a name.
  var displayName: String { name.isEmpty ? email : name }
}

extension AccountSession {
  /// The time after which an unused session ends.
  static let idleTime = Duration.seconds(2 * 3600)
  /// The time within which the second factor must be entered after the password.
  static let confirmationTime = Duration.seconds(600)
  /// The least time between two writes of the time of a session's last use.
  static let touchInterval = Duration.seconds(300)

  func isIdle(at now: Timestamp) -> Bool { now.since(seenAt) >= Self.idleTime }
}

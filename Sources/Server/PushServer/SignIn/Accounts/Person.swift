import PushModel

/// The person who makes a request in the dashboard.
struct Person: Hashable, Sendable {
  /// The account as it was when the request began.
  var account: Account
  /// The hash of the session's token; empty if the request opens the session.
  var session: [UInt8]

  init(_ account: Account, session: [UInt8] = []) {
    self.account = account
    self.session = session
  }

  var id: String { account.id }
  /// The name in the audit log.
  var name: String { account.displayName }
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

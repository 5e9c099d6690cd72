/// The people who sign in to the dashboard, and their sessions.
package protocol AccountStore: Sendable {
  /// Adds an account with the link with which its person chooses a password.
  ///
  /// - Throws: ``StoreError/Code/conflict`` if the email address is taken.
  func add(_ account: Account, link: AccountLink) async throws(StoreError)
  /// All accounts, by their email addresses.
  func accounts() async throws(StoreError) -> [Account]
  func account(_ id: String) async throws(StoreError) -> Account?
  func account(email: String) async throws(StoreError) -> Account?
  /// Gives an account a role in an app or, with `nil`, in all; without a role, takes it away.
  ///
  /// A change ends the account's links and sessions. A higher role also removes the person's credentials if the maker
  /// of the link that set them may not make one for the changed account: the maker may have used the link in the
  /// person's place.
  ///
  /// - Returns: The account with its new roles; `nil` if the account does not exist.
  /// - Throws: ``StoreError/Code/refused`` if credentials would be removed, and `actor` may not make a link for new ones.
  func setRole(
    _ role: Account.Role?, app: String?, of account: String, by actor: Authority,
    at now: Timestamp
  ) async throws(StoreError) -> Account?
  /// Removes an account and its sessions.
  ///
  /// - Returns: `false` if the account does not exist.
  func removeAccount(_ id: String) async throws(StoreError) -> Bool

  /// Adds a link in place of the account's earlier ones.
  ///
  /// - Returns: `false` if the account does not exist.
  func add(_ link: AccountLink) async throws(StoreError) -> Bool
  /// The account of a link; `nil` if the link has expired or its maker no longer manages the account.
  func account(link hash: [UInt8], at now: Timestamp) async throws(StoreError) -> Account?
  /// Sets the name of a link's account and how its person signs in, removes its links and passkeys and ends its sessions.
  ///
  /// An identity replaces the account's earlier one of its issuer.
  ///
  /// - Returns: The account; `nil` if the link was used, has expired, or its maker no longer manages the account.
  /// - Throws: ``StoreError/Code/conflict`` if another account has the identity. The link can then be used again.
  func redeem(
    link hash: [UInt8], name: String, with credential: AccountCredential, at now: Timestamp
  ) async throws(StoreError) -> Account?
  /// Replaces a password, removes the account's links, and ends its sessions except one.
  ///
  /// - Returns: `false` if the password was changed meanwhile.
  func changePassword(
    of account: String, from old: String, to new: String, keeping session: [UInt8]
  ) async throws(StoreError) -> Bool
  /// Replaces the hash of a password by a new hash of the same password. Sessions stay.
  func rehashPassword(of account: String, from old: String, to new: String)
    async throws(StoreError)

  /// The account whose person has an identity.
  func account(_ identity: AccountIdentity) async throws(StoreError) -> Account?
  /// Adds an identity to an account, names the account if it has no name, and removes its links.
  ///
  /// - Returns: `false` if another account has the identity, or the account has a different one of the issuer or was
  ///   removed.
  func connect(
    _ identity: AccountIdentity, to account: String, name: String?
  ) async throws(StoreError) -> Bool
  /// Removes an account's identities, unless it has no password.
  ///
  /// - Returns: `false` if the account has no identity, or nobody could sign in to it afterwards.
  func disconnect(_ account: String) async throws(StoreError) -> Bool

  /// The passkeys of an account, in the order in which they were added.
  func passkeys(of account: String) async throws(StoreError) -> [Passkey]
  func passkey(_ id: [UInt8]) async throws(StoreError) -> Passkey?
  /// Adds a passkey to its account.
  ///
  /// - Returns: `false` if a passkey with the id exists, or the account has ``Passkey/limit`` passkeys or was
  ///   removed.
  func add(_ passkey: Passkey) async throws(StoreError) -> Bool
  /// Records the use of a passkey, with the authenticator's count of its signatures.
  ///
  /// - Returns: `false` if the passkey was removed, or if its count did not rise, because a copy of the key may
  ///   exist. A count that stays 0 is allowed: the authenticator does not count.
  func usePasskey(
    _ id: [UInt8], count: Int64, at now: Timestamp
  ) async throws(StoreError) -> Bool
  /// Removes all passkeys of an account.
  func removePasskeys(of account: String) async throws(StoreError)
  /// Removes a passkey of an account.
  ///
  /// - Returns: `false` if the account has no passkey with the id.
  func removePasskey(_ id: [UInt8], of account: String) async throws(StoreError) -> Bool

  /// Sets the second factor and its recovery codes, or removes them.
  ///
  /// - Throws: ``StoreError/Code/conflict`` if the secret is sealed with a secret key that is not in use.
  func setSecondFactor(_ factor: SecondFactor?, of account: String) async throws(StoreError)
  /// Takes one of the account's attempts to enter a code, as ``CodeAttempts`` counts them.
  ///
  /// - Returns: The time to wait; `nil` if the code may be checked now.
  func takeCodeAttempt(of account: String, at now: Timestamp) async throws(StoreError) -> Duration?
  /// Gives back an attempt with a correct code.
  func restoreCodeAttempt(of account: String) async throws(StoreError)
  /// Uses the code of a time step.
  ///
  /// - Returns: `false` if the code of that step or of a later step was used before.
  func useStep(_ step: Int64, of account: String) async throws(StoreError) -> Bool
  /// Uses up a recovery code.
  ///
  /// - Returns: `false` if the account has no such code.
  func useRecoveryCode(_ hash: [UInt8], of account: String) async throws(StoreError) -> Bool
  /// The number of recovery codes that are left.
  func recoveryCodeCount(of account: String) async throws(StoreError) -> Int

  /// Counts the devices of a test send toward the sender's budget for the hour.
  ///
  /// - Returns: `false` if the hour would have more than `limit` devices. They are not counted then.
  func useTestBudget(
    of actor: String, devices: Int, limit: Int, at now: Timestamp
  ) async throws(StoreError) -> Bool

  /// Adds a session for a person who has just signed in, and removes the sessions that have expired.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - account: The account as it was when the sign-in was checked.
  /// - Returns: `false` if the account's roles or the ways to sign in to it have changed since, or it was removed.
  /// - Throws: ``StoreError`` if the store is not available.
  func add(
    _ session: AccountSession, of account: Account
  ) async throws(StoreError) -> Bool
  /// A session with its account; `nil` if the session does not exist or has expired.
  func session(
    hash: [UInt8], at now: Timestamp
  ) async throws(StoreError) -> (session: AccountSession, account: Account)?
  /// Records that a session is in use.
  func touchSession(_ hash: [UInt8], at now: Timestamp) async throws(StoreError)
  /// The confirmed, unexpired sessions of an account, the latest first.
  func sessions(
    of account: String, at now: Timestamp
  ) async throws(StoreError) -> [AccountSession]
  /// Ends one session of an account.
  ///
  /// - Returns: `false` if the account has no session with the hash.
  func endSession(_ hash: [UInt8], of account: String) async throws(StoreError) -> Bool
  /// Ends the sessions of an account except one.
  ///
  /// - Returns: The number of ended sessions.
  func endSessions(
    of account: String, except hash: [UInt8]?
  ) async throws(StoreError) -> Int
}

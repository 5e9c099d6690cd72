/// The people who sign in to the dashboard, and their sessions.
package protocol AccountStore: Sendable {
  /// Adds an account with the link by which its person chooses a password.
  ///
  /// - Throws: ``StoreError/Code/conflict`` where the email address is taken.
  func add(_ account: Account, link: AccountLink) async throws(StoreError)
  /// All accounts, by their email addresses.
  func accounts() async throws(StoreError) -> [Account]
  func account(_ id: String) async throws(StoreError) -> Account?
  func account(email: String) async throws(StoreError) -> Account?
  /// Gives an account a role in an app or, with `nil`, in all; without a role, takes it away.
  ///
  /// Where that changes the account, its links and sessions end. A higher role also removes how the person signs in if that came
  /// by a link whose maker may not make one for the account as it is now: the maker may have used it in the person's place.
  ///
  /// - Returns: The account with its new roles; `nil` if there is no such account.
  func setRole(
    _ role: Account.Role?, app: String?, of account: String, at now: Timestamp
  ) async throws(StoreError) -> Account?
  /// Removes an account with its sessions.
  ///
  /// - Returns: `false` where there is no such account.
  func removeAccount(_ id: String) async throws(StoreError) -> Bool

  /// Adds a link in place of the account's earlier ones.
  ///
  /// - Returns: `false` where there is no such account.
  func add(_ link: AccountLink) async throws(StoreError) -> Bool
  /// The account of a link that has not expired, and whose maker still manages the account.
  func account(link hash: [UInt8], at now: Timestamp) async throws(StoreError) -> Account?
  /// Sets the name of a link's account and how its person signs in, removes its links and passkeys and ends its sessions.
  ///
  /// An identity replaces the account's earlier one of its issuer.
  ///
  /// - Returns: The account; `nil` where the link was used meanwhile, has expired, or where its maker does not manage
  ///   the account any more.
  /// - Throws: ``StoreError/Code/conflict`` where the identity is another account's; the link can be used again.
  func redeem(
    link hash: [UInt8], name: String, with credential: AccountCredential, at now: Timestamp
  ) async throws(StoreError) -> Account?
  /// Replaces a password, removes the account's links, and ends its sessions except one.
  ///
  /// - Returns: `false` where the password is another one by now.
  func changePassword(
    of account: String, from old: String, to new: String, keeping session: [UInt8]
  ) async throws(StoreError) -> Bool
  /// Replaces the hash of a password by another one of the same password; sessions stay.
  func rehashPassword(of account: String, from old: String, to new: String)
    async throws(StoreError)

  /// The account whose person has an identity.
  func account(_ identity: AccountIdentity) async throws(StoreError) -> Account?
  /// Gives an account an identity and, where it has no name, a name; removes its links.
  ///
  /// - Returns: `false` where the identity is another account's, the account has another one of the issuer, or was removed.
  func connect(
    _ identity: AccountIdentity, to account: String, name: String?
  ) async throws(StoreError) -> Bool
  /// Takes an account's identities away where its person has a password, too.
  ///
  /// - Returns: `false` where the account had none, or would be left without a way to sign in.
  func disconnect(_ account: String) async throws(StoreError) -> Bool

  /// The passkeys of an account, in the order in which they were added.
  func passkeys(of account: String) async throws(StoreError) -> [Passkey]
  func passkey(_ id: [UInt8]) async throws(StoreError) -> Passkey?
  /// Adds a passkey to its account.
  ///
  /// - Returns: `false` where there is one of the id, the account has ``Passkey/limit`` or was removed.
  func add(_ passkey: Passkey) async throws(StoreError) -> Bool
  /// Notes that a passkey is used, with the authenticator's count of its signatures.
  ///
  /// - Returns: `false` where it was removed, or the count is not above the last one, so that there may be a copy of the
  ///   key. Two counts of 0 are of an authenticator that does not count.
  func usePasskey(
    _ id: [UInt8], count: Int64, at now: Timestamp
  ) async throws(StoreError) -> Bool
  /// Removes all passkeys of an account.
  func removePasskeys(of account: String) async throws(StoreError)
  /// Removes a passkey of an account.
  ///
  /// - Returns: `false` where it has none of the id.
  func removePasskey(_ id: [UInt8], of account: String) async throws(StoreError) -> Bool

  /// Sets the second factor and its recovery codes, or removes them.
  ///
  /// - Throws: ``StoreError/Code/conflict`` where the secret is sealed with a secret key that is not in use.
  func setSecondFactor(_ factor: SecondFactor?, of account: String) async throws(StoreError)
  /// Takes one of the account's attempts to enter a code, by ``CodeAttempts``.
  ///
  /// - Returns: The time to wait; `nil` where the code may be judged.
  func takeCodeAttempt(of account: String, at now: Timestamp) async throws(StoreError) -> Duration?
  /// Gives back the attempt whose code was right.
  func restoreCodeAttempt(of account: String) async throws(StoreError)
  /// Uses the code of a time step.
  ///
  /// - Returns: `false` where the code of that step or of a later one was used.
  func useStep(_ step: Int64, of account: String) async throws(StoreError) -> Bool
  /// Uses a recovery code, which is then gone.
  ///
  /// - Returns: `false` where the account has no such code.
  func useRecoveryCode(_ hash: [UInt8], of account: String) async throws(StoreError) -> Bool
  /// The number of recovery codes that are left.
  func recoveryCodeCount(of account: String) async throws(StoreError) -> Int

  /// Counts devices to which somebody sends a test, in the hour of a time.
  ///
  /// - Returns: `false` where the hour would have more than `limit` of them; then none is counted.
  func useTestBudget(
    of actor: String, devices: Int, limit: Int, at now: Timestamp
  ) async throws(StoreError) -> Bool

  /// Adds a session, and removes those that have expired.
  func add(_ session: AccountSession) async throws(StoreError)
  /// A session that has not expired, with its account.
  func session(
    hash: [UInt8], at now: Timestamp
  ) async throws(StoreError) -> (session: AccountSession, account: Account)?
  /// Notes that a session is in use.
  func touchSession(_ hash: [UInt8], at now: Timestamp) async throws(StoreError)
  /// The confirmed sessions of an account that have not expired, the latest first.
  func sessions(
    of account: String, at now: Timestamp
  ) async throws(StoreError) -> [AccountSession]
  /// Ends one session of an account.
  ///
  /// - Returns: `false` where it has none with the hash.
  func endSession(_ hash: [UInt8], of account: String) async throws(StoreError) -> Bool
  /// Ends all sessions of an account but one.
  ///
  /// - Returns: How many there were.
  func endSessions(
    of account: String, except hash: [UInt8]?
  ) async throws(StoreError) -> Int
}

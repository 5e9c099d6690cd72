/// The browsers in which people have signed in.
package protocol AccountSessionStore: Sendable {
  /// Adds a session for a person who has just signed in, and removes the sessions that have expired.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - account: The account as it was when the sign-in was checked.
  /// - Returns: `changed` or `noAccount` if the session is not added; `nil` if it is.
  /// - Throws: ``StoreError`` if the store is not available.
  func add(
    _ session: AccountSession, of account: Account
  ) async throws(StoreError) -> AccountRefusal?
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

import PushModel

extension AccountStore {
  /// The account of a session that is confirmed and not idle; records the use.
  func account(session hash: [UInt8], at now: Timestamp) async throws -> Account? {
    guard let (session, account) = try await openSession(hash, at: now) else { return nil }
    if now.since(session.seenAt) >= AccountSession.touchInterval {
      // A page is shown even if the store accepts no writes.
      try? await touchSession(hash, at: now)
    }
    return account
  }

  /// A session that is confirmed and not idle, with its account; records no use.
  func openSession(
    _ hash: [UInt8], at now: Timestamp
  ) async throws -> (session: AccountSession, account: Account)? {
    guard let found = try await session(hash: hash, at: now), found.session.isConfirmed,
      !found.session.isIdle(at: now)
    else { return nil }
    return found
  }
}

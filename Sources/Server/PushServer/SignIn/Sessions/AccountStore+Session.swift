import PushModel

extension AccountStore {
  /// The account of a session that is confirmed and not idle; records the use.
  func account(session hash: [UInt8], at now: Timestamp) async throws -> Account? {
    guard let (session, account) = try await session(hash: hash, at: now), session.isConfirmed,
      !session.isIdle(at: now)
    else { return nil }
    if now.since(session.seenAt) >= AccountSession.touchInterval {
      // A page is shown even if the store accepts no writes.
      try? await touchSession(hash, at: now)
    }
    return account
  }
}

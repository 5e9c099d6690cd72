/// The sessions of the dashboard that were ended before they expired.
///
/// A session is in its user's cookie, so the store has only the ends.
package protocol SessionStore: Sendable {
  /// Ends a session. The store forgets it after `until`, when it would have expired.
  ///
  /// - Returns: `false` if the session had ended before. Of two concurrent calls, one returns `true`.
  @discardableResult
  func endSession(
    _ id: [UInt8], until: Timestamp, at now: Timestamp
  ) async throws(StoreError) -> Bool
  func hasEnded(session id: [UInt8]) async throws(StoreError) -> Bool
}

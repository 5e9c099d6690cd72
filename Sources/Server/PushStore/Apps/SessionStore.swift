/// The sessions of the dashboard that were ended before they expired.
///
/// A session is in its user's cookie, so the store has the ends only.
package protocol SessionStore: Sendable {
  /// Ends a session; `until` is when it would have expired, and is forgotten.
  ///
  /// - Returns: `false` where it had ended before: of two calls at once, one ends it.
  @discardableResult
  func endSession(
    _ id: [UInt8], until: Timestamp, at now: Timestamp
  ) async throws(StoreError) -> Bool
  func hasEnded(session id: [UInt8]) async throws(StoreError) -> Bool
}

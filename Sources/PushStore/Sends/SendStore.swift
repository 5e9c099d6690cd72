/// Sends, from acceptance to their end.
package protocol SendStore: Sendable {
  /// Stores a send, its audience where that is new, and whom it is for, by when it is due; all of
  /// it or nothing. Nothing is written per device.
  ///
  /// A send whose ``Send/idempotencyKey`` the app has used is not stored: the first one is returned.
  ///
  /// - Throws: ``StoreError/Code/conflict`` where its id is taken.
  func accept(
    _ send: Send, to audience: Audience, segments: [Segment]
  ) async throws(StoreError) -> Send
  /// Finds a send by its own id or that of the message around it.
  func send(_ id: String, app: String) async throws(StoreError) -> Send?
  /// The newest sends first; `cursor` is the id of the last one seen.
  func sends(
    app: String, after cursor: String?, limit: Int
  ) async throws(StoreError) -> (sends: [Send], total: Int)
  /// Pauses, resumes, cancels or fails a send, and returns what it became; `nil` where there is none.
  ///
  /// - Throws: ``StoreError/Code/conflict`` where its state forbids it.
  func order(
    _ order: SendLife.Order, send id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Send?
}

/// Sends, from their acceptance to their end.
package protocol SendStore: Sendable {
  /// Stores a send, its audience if that is new, and its devices by due time, in one transaction. No row is written
  /// per device.
  ///
  /// A send to a Live Activity gets the activity's next timestamp. `replaced` is the id of a scheduled send that is
  /// canceled in the same transaction, because the new send replaces it.
  ///
  /// - Returns: The stored send or, if the app has used its ``Send/idempotencyKey`` before, the earlier send.
  /// - Throws: ``StoreError/Code/conflict`` if its id is taken, its activity has had a later timestamp, or the
  ///   replaced send has started or is over.
  func accept(
    _ send: Send, to audience: Audience, segments: [Segment], replacing replaced: String?
  ) async throws(StoreError) -> Send
  /// A send by its own id or by the id of its message; `nil` if the app has no such send.
  func send(_ id: String, app: String) async throws(StoreError) -> Send?
  /// The send with an idempotency key; `nil` if the app has not used the key.
  func send(idempotencyKey key: String, app: String) async throws(StoreError) -> Send?
  /// A page of the notifications of an app that match a query, the newest first, and the total number of matches.
  ///
  /// Sends to Live Activities are not included.
  ///
  /// `cursor` is the id of the last send on the previous page.
  func sends(
    app: String, matching query: SendQuery, after cursor: String?, limit: Int
  ) async throws(StoreError) -> (sends: [Send], total: Int)
  /// A page of the notifications of an app that match a query, as ``sends(app:matching:after:limit:)`` lists them.
  ///
  /// The total is not counted. To count, a database reads an entry of every notification of the app.
  func uncountedSends(
    app: String, matching query: SendQuery, after cursor: String?, limit: Int
  ) async throws(StoreError) -> [Send]
  /// Pauses, resumes, cancels or fails a send.
  ///
  /// - Returns: The send after the order; `nil` if the app has no such send.
  /// - Throws: ``StoreError/Code/conflict`` if the send's state forbids the order.
  func order(
    _ order: SendLifecycle.Order, send id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Send?
}

extension SendStore {
  /// Stores a send that does not replace another one.
  package func accept(
    _ send: Send, to audience: Audience, segments: [Segment]
  ) async throws(StoreError) -> Send {
    try await accept(send, to: audience, segments: segments, replacing: nil)
  }

  /// All notifications of an app, as ``sends(app:matching:after:limit:)`` lists them.
  package func sends(
    app: String, after cursor: String?, limit: Int
  ) async throws(StoreError) -> (sends: [Send], total: Int) {
    try await sends(app: app, matching: SendQuery(), after: cursor, limit: limit)
  }
}

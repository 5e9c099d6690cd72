/// Sends, from their acceptance to their end.
package protocol SendStore: Sendable {
  /// Stores a send, its audience where that is new, and its devices by the time at which they are
  /// due, in one transaction. No row is written per device.
  ///
  /// A send to a Live Activity gets the activity's next timestamp. `replaced` is the id of a scheduled send of which
  /// the new one takes the place: it is canceled in the same transaction.
  ///
  /// - Returns: The stored send, or, where the app has used its ``Send/idempotencyKey`` before, the
  ///   send of then.
  /// - Throws: ``StoreError/Code/conflict`` where its id is taken, where its activity has had a
  ///   later timestamp, or where the replaced send has started or is over.
  func accept(
    _ send: Send, to audience: Audience, segments: [Segment], replacing replaced: String?
  ) async throws(StoreError) -> Send
  /// A send by its own id or by the id of its message; `nil` where there is none.
  func send(_ id: String, app: String) async throws(StoreError) -> Send?
  /// The send of an app's idempotency key; `nil` where there is none.
  func send(idempotencyKey key: String, app: String) async throws(StoreError) -> Send?
  /// The notifications of an app that meet a query, the newest first, and how many there are in all.
  ///
  /// Sends to Live Activities are not among them.
  ///
  /// `cursor` is the id of the last send of the page before.
  func sends(
    app: String, matching query: SendQuery, after cursor: String?, limit: Int
  ) async throws(StoreError) -> (sends: [Send], total: Int)
  /// Pauses, resumes, cancels or fails a send.
  ///
  /// - Returns: The send after the order; `nil` where there is none.
  /// - Throws: ``StoreError/Code/conflict`` where the send's state forbids the order.
  func order(
    _ order: SendLifecycle.Order, send id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Send?
}

extension SendStore {
  /// Stores a send that takes no other's place.
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

/// Audiences: named sets of devices.
package protocol AudienceStore: Sendable {
  func audience(_ id: String, app: String) async throws(StoreError) -> Audience?
  /// Those with a name, the newest first.
  func audiences(
    app: String, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<Audience>
  /// Stores one, in the place of the app's one with its id.
  func save(_ audience: Audience) async throws(StoreError)
  /// `false` where there is none; sends to it stay.
  @discardableResult
  func deleteAudience(_ id: String, app: String) async throws(StoreError) -> Bool
}

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

/// The queue of batches, which any number of workers share.
package protocol BatchQueue: Sendable {
  /// Leases the oldest batch that is due, cutting batches off a due segment where there is none;
  /// its send is in state `sending` from then on. Sends that have expired end here.
  func leaseBatch(
    owner: String, at now: Timestamp, until end: Timestamp
  ) async throws(StoreError) -> Batch?
  /// What a payload may depend on of some devices, in the order of their numbers; numbers that no device
  /// has are left out.
  func recipients(app: String, numbers: DeviceNumbers) async throws(StoreError) -> [Recipient]
  /// Records outcomes, the first one of a device only, and ends the lease. Devices that are left
  /// are due again as `retries` say, unless their send was ended; a send whose last batch ends is
  /// complete.
  ///
  /// An `alarm` pauses the send, for that reason. So does ``InvalidationGuard``, which then marks no
  /// device as gone; where it doubts what all the app's sends say, it marks none either.
  @discardableResult
  func finish(
    _ batch: Batch, outcomes: [Outcome], retries: [Retry], alarm: String?, at now: Timestamp
  ) async throws(StoreError) -> BatchEnd
  /// Moves the end of a lease that has not lapsed: what a node says of a batch while it works on it.
  func extend(_ batch: Batch, at now: Timestamp, until end: Timestamp) async throws(StoreError)
  /// Makes every batch leased by an owner due now: what a node says when it starts.
  func releaseBatches(owner: String) async throws(StoreError)
  /// When the next batch or segment falls due, a lease lapses or a send expires; `nil` where there
  /// is nothing to wait for.
  func nextBatchTime() async throws(StoreError) -> Timestamp?
  /// A hint whenever another node has put something into the queue, or has held or ended it; hints
  /// may be lost. `nil` where there are no other nodes.
  func announcements() -> AsyncStream<Void>?
}

/// What became of a send's devices.
package protocol OutcomeStore: Sendable {
  /// `nil` where the device was not targeted or has no outcome yet.
  func outcome(
    of send: String, app: String, device number: UInt32
  ) async throws(StoreError) -> Outcome?
  /// A page of outcomes, at most ``Batch/limit`` of them, ordered by batch and device.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor``.
  func outcomes(
    of send: String, app: String, after cursor: String?
  ) async throws(StoreError) -> Page<Outcome>
  /// How many devices had each end.
  func reasons(of send: String, app: String) async throws(StoreError) -> [OutcomeReason: Int]
}

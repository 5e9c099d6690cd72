/// The queue of batches, which any number of workers share.
package protocol BatchQueue: Sendable {
  /// Leases the oldest due batch to an owner; where there is none, batches are split off a due
  /// segment first. The send of the batch is in state `sending` from then on.
  ///
  /// Sends that have expired end in this call.
  ///
  /// `end` is when the lease lapses. The call is a write also where nothing is due, so ask
  /// ``nextBatchTime()`` first.
  ///
  /// - Returns: `nil` where nothing is due.
  func leaseBatch(
    owner: String, at now: Timestamp, until end: Timestamp
  ) async throws(StoreError) -> Batch?
  /// The properties of some devices that a payload may depend on, in the order of their numbers.
  /// Numbers without a device are left out.
  func recipients(app: String, numbers: DeviceNumbers) async throws(StoreError) -> [Recipient]
  /// Records the first outcome of each device, and ends the lease of a batch.
  ///
  /// The devices without an outcome are due again as `retries` say, unless the send has ended. A
  /// send is complete with its last batch. ``InvalidationGuard`` may pause the send or doubt that
  /// devices are gone, and then marks none as gone.
  ///
  /// `alarm` is a reason to pause the send.
  @discardableResult
  func finish(
    _ batch: Batch, outcomes: [Outcome], retries: [Retry], alarm: String?, at now: Timestamp
  ) async throws(StoreError) -> BatchEnd
  /// Stops work one of whose rows is damaged, without reading them: a send fails with the reason.
  func stop(_ work: DamagedWork, because reason: String, at now: Timestamp) async throws(StoreError)
  /// Stops the send of a batch, as ``stop(_:because:at:)`` does.
  func stop(_ batch: Batch, because reason: String, at now: Timestamp) async throws(StoreError)
  /// Moves the end of a lease that has not lapsed, while its batch is worked on.
  func extend(_ batch: Batch, at now: Timestamp, until end: Timestamp) async throws(StoreError)
  /// Makes the batches that are leased by an owner due now; a node calls this when it starts.
  func releaseBatches(owner: String) async throws(StoreError)
  /// When the next batch or segment is due, a lease lapses or a send expires; `nil` where there is
  /// nothing to wait for.
  func nextBatchTime() async throws(StoreError) -> Timestamp?
  /// A stream with an element whenever another node has added, paused or ended work. Elements may
  /// be lost. `nil` where there are no other nodes.
  func announcements() -> AsyncStream<Void>?
}

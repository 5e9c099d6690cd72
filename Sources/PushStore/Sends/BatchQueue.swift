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

/// A queue of batches, which any number of workers share.
package protocol BatchQueue: Sendable {
  /// Leases a due batch, and splits batches off a due segment if the app has no due batch. The send of the batch is in
  /// state `sending` from then on.
  ///
  /// Apps with due work take turns, so that no app waits for the end of another one's send. Of an app, the batch that
  /// has been due the longest comes first. Sends that have expired end in this call.
  ///
  /// The call writes even if no batch is due, so call ``nextBatchTime(of:excluding:at:)`` first.
  ///
  /// - Returns: `nil` if no batch or segment is due.
  func leaseBatch(_ request: LeaseRequest) async throws(StoreError) -> Batch?
  /// The properties of devices on which a payload may depend, in the order of the devices' numbers. Numbers without a
  /// device are left out.
  func recipients(app: String, numbers: DeviceNumbers) async throws(StoreError) -> [Recipient]
  /// Records the first outcome of each device and ends the lease of a batch.
  ///
  /// Devices without an outcome are due again as `retries` say, unless the send has ended. A send is complete with
  /// its last batch. ``InvalidationGuard`` may pause the send or doubt that devices are gone; no device is then
  /// marked as gone. What may have arrived in this lease or an earlier one goes on to count against frequency caps.
  ///
  /// `alarm` is a reason to pause the send; `nil` if the caller has no reason to pause it.
  @discardableResult
  func finish(
    _ batch: Batch, outcomes: [Outcome], retries: [Retry], alarm: String?, at now: Timestamp
  ) async throws(StoreError) -> BatchEnd
  /// Stops work with a damaged row, without reading its rows; a send fails with the reason.
  func stop(_ work: DamagedWork, because reason: String, at now: Timestamp) async throws(StoreError)
  /// Stops the send of a batch, as ``stop(_:because:at:)`` stops damaged work.
  func stop(_ batch: Batch, because reason: String, at now: Timestamp) async throws(StoreError)
  /// Moves the end of a lease that has not lapsed: later while a worker handles its batch, or earlier after a failure.
  func extend(_ batch: Batch, at now: Timestamp, until end: Timestamp) async throws(StoreError)
  /// Makes the batches that are leased by an owner due now; a node calls this when it starts.
  func releaseBatches(owner: String) async throws(StoreError)
  /// The next time at which a batch or segment of a class is due, a lease lapses or a send expires; `nil` if there is
  /// no such time.
  ///
  /// `sendClass` is `nil` for every class. Batches and segments of the apps with the excluded numbers do not count.
  /// `now` is the time by the caller's clock, by which the answer is too: a store with a clock of its own adds the wait
  /// to `now`.
  func nextBatchTime(
    of sendClass: SendClass?, excluding apps: Set<Int64>, at now: Timestamp
  ) async throws(StoreError) -> Timestamp?
  /// A stream with an element whenever another node adds, pauses or ends work; `nil` if the store has no other nodes.
  /// Elements may be lost.
  func announcements() -> AsyncStream<Void>?
}

extension BatchQueue {
  /// The next time at which work of any app is due, as ``nextBatchTime(of:excluding:at:)`` says it.
  ///
  /// `sendClass` is `nil` for every class.
  package func nextBatchTime(
    of sendClass: SendClass? = nil, at now: Timestamp
  ) async throws(StoreError) -> Timestamp? {
    try await nextBatchTime(of: sendClass, excluding: [], at: now)
  }
}

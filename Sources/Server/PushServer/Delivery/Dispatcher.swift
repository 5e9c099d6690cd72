import APNs
package import PushModel
import Synchronization

/// The delivery of one node, which leases batches from the store, sends them and stores the outcomes.
///
/// Each class of sends has a ``Lane`` of its own, so that a transactional send does not wait for the batches of a
/// campaign.
///
/// All state is in the store, so that a node may be killed at any time. A batch whose lease expires
/// is sent again, with the same pushes, to the devices without an outcome.
package final class Dispatcher: Sendable {
  /// The pause after a failure of the store.
  private static let failurePause = Duration.seconds(1)
  /// The pause after two leases in a row that found nothing, because another node has locked what is due.
  private static let lockPause = Duration.milliseconds(50)
  /// The longest wait until the store is asked again, because the clock may be set meanwhile.
  static let longestWait = Duration.seconds(5)

  private let store: any PushStore
  private let clock: ServerClock
  private let owner: String
  private let metrics: ServerMetrics
  private let tracer: Tracer?
  private let batchSender: BatchSender
  private let composer: BatchComposer
  private let recorder: OutcomeRecorder
  private let warnings: WarningLog
  private let log: @Sendable (String) -> Void
  private let lanes: [Lane]
  private let pauses: NodePauses

  /// Makes a dispatcher that does nothing until ``run()``.
  ///
  /// `owner` is this node's name; batches that a node of this name had leased before are due at
  /// once. `workers` is the number of campaigns' batches sent at the same time. `paddingMultiple` is
  /// ``Composer/Options/paddingMultiple`` of encrypted payloads.
  package init(
    store: any PushStore, sender: any PushSender, clock: ServerClock = .system,
    owner: String = "node", workers: Int = 4, paddingMultiple: Int = 1,
    metrics: ServerMetrics = ServerMetrics(), tracer: Tracer? = nil,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.store = store
    self.clock = clock
    self.owner = owner
    self.metrics = metrics
    self.tracer = tracer
    self.log = log
    composer = BatchComposer(
      store: store, composers: ComposerCache(paddingMultiple: paddingMultiple), clock: clock,
      log: log)
    batchSender = BatchSender(store: store, sender: sender, clock: clock, log: log)
    warnings = WarningLog(clock: clock, log: log)
    pauses = NodePauses(clock: clock)
    recorder = OutcomeRecorder(
      store: store, clock: clock, metrics: metrics, warnings: warnings, pauses: pauses, log: log)
    lanes = Lane.all(workers: workers)
  }

  /// Wakes the lanes, because a batch may be due.
  package func signal() { for lane in lanes { lane.signal() } }

  /// Makes ``run()`` return after the batches in flight have ended.
  package func stop() {
    pauses.stop()
    for lane in lanes { lane.stop() }
  }

  /// Sends batches as they are due, until ``stop()``.
  package func run() async {
    do {
      try await store.releaseBatches(owner: owner)
    } catch {
      log("releasing this node's batches failed: \(error)")
    }
    await withTaskGroup { group in
      for lane in lanes {
        for taker in lane.wakeups.indices {
          group.addTask(priority: lane.priority) { await self.run(lane, taker) }
        }
      }
    }
  }

  /// Leases the batches of a lane as they are due, as one of its takers.
  private func run(_ lane: Lane, _ taker: Int) async {
    let wakeup = lane.wakeups[taker]
    var signals = wakeup.signals.makeAsyncIterator()
    await withDiscardingTaskGroup { batches in
      while true {
        let wait = await takeDueBatches(of: lane) { batch in
          lane.leased(batch)
          lane.signal(taker + 1)
          batches.addTask { await self.process(batch, in: lane) }
        }
        // The first taker waits for what is scheduled, and wakes the others when it is due.
        let timer =
          taker > 0
          ? nil
          : wait.map { wait in
            Task { [clock] in
              try await clock.sleep(min(wait, Self.longestWait))
              wakeup.signal()
            }
          }
        let isOver = await signals.next() == nil
        timer?.cancel()
        if isOver { return }
      }
    }
  }

  private func process(_ batch: Batch, in lane: Lane) async {
    do { try await process(batch) } catch {
      logFailure(error)
      // The lane has less room meanwhile, so that it does not fail for many batches at once.
      if !pauses.isStopping { try? await pauses.wait(Self.failurePause) }
    }
    lane.ended(batch, at: clock.now())
    // A retry may be due before the end of the lease, until which the first taker waits.
    lane.signal()
  }

  /// Sends every batch that is due, one after the other.
  ///
  /// - Returns: The time until the next batch is due; `nil` if no batch is scheduled.
  package func sendDueBatches() async -> Duration? {
    await takeDueBatches(of: nil) { batch in try await process(batch) }
  }

  /// Leases every batch that is due and for which a lane has room; without a lane, those of every class.
  ///
  /// - Returns: The time until the next batch is due, or the lane may have room; `nil` if no batch is scheduled.
  private func takeDueBatches(
    of lane: Lane?, _ body: (Batch) async throws -> Void
  ) async -> Duration? {
    do {
      var emptyLeases = 0
      while !pauses.isStopping {
        var excluded: Set<Int64> = []
        switch lane?.takeRoom(at: clock.now()) {
        case nil: break
        case .free(let apps)?: excluded = apps
        case .taken(let wait)?: return wait
        }
        var isRoomUsed = false
        defer { if !isRoomUsed { lane?.returnRoom(at: clock.now()) } }
        if recorder.isWaiting { return Self.failurePause }
        let next = try await store.nextBatchTime(
          of: lane?.sendClass, excluding: excluded, at: clock.now())
        guard let due = next else { return nil }
        let now = clock.now()
        guard due <= now else { return due.since(now) }
        // `nil` means that another task was faster, that the end of a send was due, or that another node ends it.
        guard let batch = try await lease(of: lane, excluding: excluded, at: now) else {
          emptyLeases += 1
          if emptyLeases > 1 { return Self.lockPause }
          continue
        }
        emptyLeases = 0
        // A batch without a schedule has the due time 0, so it has no wait to measure.
        if due.milliseconds > 0 { metrics.passed(.wait, in: now.since(due)) }
        isRoomUsed = true
        try await body(batch)
      }
      return nil
    } catch {
      logFailure(error)
      return Self.failurePause
    }
  }

  private func logFailure(_ error: any Error) {
    let next = pauses.isStopping ? "left to the next node" : "retrying in 1 s"
    log("delivery failed, \(next): \(error)")
  }

  /// Leases a batch; a send with damaged rows is stopped, so that later ones continue.
  private func lease(
    of lane: Lane?, excluding apps: Set<Int64>, at now: Timestamp
  ) async throws -> Batch? {
    do {
      return try await store.leaseBatch(
        LeaseRequest(
          owner: owner, of: lane?.sendClass, after: lane?.lastApp ?? 0, excluding: apps, at: now,
          until: now + LeaseRenewal.leaseDuration))
    } catch {
      guard let work = error.work else { throw error }
      log("a notification is stopped: \(error.message)")
      try await store.stop(work, because: error.message, at: now)
      return nil
    }
  }

  // MARK: A batch

  /// Composes and sends a batch, and stores the outcomes.
  private func process(_ batch: Batch) async throws {
    let lease = LeaseRenewal(of: batch, in: store, clock: clock, warnings: warnings)
    let renewal = Task { await lease.run() }
    defer { renewal.cancel() }
    var trace = tracer.flatMap { BatchTrace(of: batch, $0) }
    let start = ContinuousClock.now
    var delivery: Delivery
    do { delivery = try await composer.compose(batch) } catch {
      renewal.cancel()
      // Nothing was sent, so the batch need not wait for the end of its lease.
      let now = clock.now()
      try? await store.extend(batch, at: now, until: now + Self.failurePause)
      throw error
    }
    let composed = ContinuousClock.now
    metrics.passed(.compose, in: composed - start)
    trace?.ended("compose", .internal)
    let sentAt = clock.now()
    lease.sentAt.withLock { $0 = sentAt }
    if batch.isFirst, let due = batch.send.startTime {
      metrics.sentFirst(after: max(.zero, sentAt.since(due)))
    }
    await batchSender.sendRounds(&delivery, of: batch)
    lease.sentAt.withLock { $0 = nil }
    let delivered = ContinuousClock.now
    metrics.passed(.deliver, in: delivered - composed)
    trace?.ended(
      "send to APNs", .client, attributes: BatchTrace.attributes(of: delivery),
      failure: delivery.unanswered.count > 0
        ? "\(delivery.unanswered.count) without an answer" : nil)
    logProblems(of: delivery, batch)
    try await recorder.record(delivery, of: batch)
    metrics.passed(.record, in: .now - delivered)
    trace?.ended("store the outcomes", .client)
    trace?.end()
  }

  private func logProblems(of delivery: Delivery, _ batch: Batch) {
    let remaining = delivery.remainingCount
    if delivery.unanswered.count > 0 {
      warnings.report(
        .outage, app: batch.send.app,
        "Apple is out of reach: \(delivery.unanswered.message ?? "no answer");"
          + " notification \(batch.send.id) is tried again for \(remaining) devices")
    } else if remaining > 0 {
      log("notification \(batch.send.id): \(remaining) devices are tried again")
    }
    if delivery.otherHostCount > 0 {
      log(
        "notification \(batch.send.id): \(delivery.otherHostCount) devices have a token of Apple's"
          + " other environment, which is remembered")
    }
  }
}

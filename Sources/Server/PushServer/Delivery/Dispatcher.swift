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
  /// The first and the longest pause between attempts to store outcomes; each pause is twice the
  /// previous one.
  private static let firstPause = Duration.seconds(1)
  private static let longestPause = Duration.seconds(15)
  /// The number of attempts of a stopping node to store a batch's outcomes.
  private static let lastAttempts = 3

  private let store: any PushStore
  private let clock: ServerClock
  private let owner: String
  private let metrics: ServerMetrics
  private let tracer: Tracer?
  private let batchSender: BatchSender
  private let composer: BatchComposer
  private let warnings: WarningLog
  private let log: @Sendable (String) -> Void
  private let lanes: [Lane]
  private let isStopping = Mutex(false)
  /// The pauses between attempts to store outcomes; they end when the node stops.
  private let pauses = Mutex<[Task<Void, Never>]>([])
  /// The number of batches whose outcomes the store currently does not accept.
  private let unstoredBatches = Mutex(0)

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
    lanes = Lane.all(workers: workers)
  }

  /// Wakes the lanes, because a batch may be due.
  package func signal() { for lane in lanes { lane.signal() } }

  /// Makes ``run()`` return after the batches in flight have ended.
  package func stop() {
    isStopping.withLock { $0 = true }
    for pause in pauses.withLock(\.self) { pause.cancel() }
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
              try await clock.sleep(wait)
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
      try? await wait(Self.firstPause)
    }
    lane.freeRoom()
  }

  /// Sends every batch that is due, one after the other.
  ///
  /// - Returns: The time until the next batch is due; `nil` if no batch is scheduled.
  package func sendDueBatches() async -> Duration? {
    await takeDueBatches(of: nil) { batch in try await process(batch) }
  }

  /// Leases every batch that is due and for which a lane has room; without a lane, those of every class.
  ///
  /// - Returns: The time until the next batch is due; `nil` if no batch is scheduled, or the lane has no room.
  private func takeDueBatches(
    of lane: Lane?, _ body: (Batch) async throws -> Void
  ) async -> Duration? {
    do {
      while !isStopping.withLock(\.self), lane?.takeRoom() ?? true {
        var isRoomUsed = false
        defer { if !isRoomUsed { lane?.freeRoom() } }
        // A store that does not accept these outcomes would not accept those of more pushes either.
        if unstoredBatches.withLock({ $0 > 0 }) { return Self.firstPause }
        guard let due = try await store.nextBatchTime(of: lane?.sendClass) else { return nil }
        let now = clock.now()
        guard due <= now else { return due.since(now) }
        // `nil` means that another task was faster, or that the end of a send was due.
        guard let batch = try await lease(of: lane, at: now) else { continue }
        // A batch without a schedule has the due time 0, so it has no wait to measure.
        if due.milliseconds > 0 { metrics.passed(.wait, in: now.since(due)) }
        isRoomUsed = true
        try await body(batch)
      }
      return nil
    } catch {
      logFailure(error)
      return Self.firstPause
    }
  }

  private func logFailure(_ error: any Error) {
    log("delivery failed, retrying in 1 s: \(error)")
  }

  /// Leases a batch; a send with damaged rows is stopped, so that later ones continue.
  private func lease(of lane: Lane?, at now: Timestamp) async throws -> Batch? {
    do {
      return try await store.leaseBatch(
        LeaseRequest(
          owner: owner, of: lane?.sendClass, after: lane?.lastApp ?? 0, at: now,
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
    var delivery = try await composer.compose(batch)
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
    try await storeOutcomes(of: delivery, batch)
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

  /// Stores Apple's answers, and tries again while the store is locked, full or unavailable.
  ///
  /// A push cannot be taken back, so its outcome is kept until the store accepts it. Meanwhile,
  /// this node sends no more pushes.
  private func storeOutcomes(of delivery: Delivery, _ batch: Batch) async throws {
    var pause = Self.firstPause
    var attemptsLeft = Self.lastAttempts
    var isCounted = false
    defer { if isCounted { countStored() } }
    while true {
      let now = clock.now()
      do throws(StoreError) {
        let end = try await store.finish(
          batch, outcomes: delivery.outcomes, retries: delivery.retries(at: now),
          alarm: delivery.pauseReason, at: now)
        if let reason = end.pause { log("notification \(batch.send.id) is paused: \(reason)") }
        if let reason = end.doubt { warnings.report(.doubt, app: batch.send.app, reason) }
        metrics.left(unmarked: end.unmarked)
        metrics.finished(delivery.outcomes)
        if end.isComplete, batch.send.throttlePerSecond == nil, let due = batch.send.startTime {
          metrics.sentLast(after: max(.zero, now.since(due)))
        }
        return
      } catch {
        if error.code == .damaged {
          // The batch would be sent again and again, because its outcomes cannot be stored.
          log("notification \(batch.send.id) is stopped: \(error.message)")
          return try await store.stop(batch, because: error.message, at: now)
        }
        if isStopping.withLock(\.self) { attemptsLeft -= 1 }
        guard error.isTransient, attemptsLeft > 0 else { throw error }
        log("notification \(batch.send.id): the outcomes of a batch cannot be stored: \(error)")
      }
      if !isCounted {
        isCounted = true
        unstoredBatches.withLock { $0 += 1 }
      }
      try await wait(pause)
      pause = isStopping.withLock(\.self) ? Self.firstPause : min(pause * 2, Self.longestPause)
    }
  }

  /// Waits for a pause, which ``stop()`` ends early; returns at once after ``stop()``.
  private func wait(_ pause: Duration) async throws {
    let task = Task<Void, Never> { [clock] in _ = try? await clock.sleep(pause) }
    if !isStopping.withLock(\.self) { pauses.withLock { $0.append(task) } }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    pauses.withLock { $0.removeAll { $0 == task } }
    try Task.checkCancellation()
  }

  private func countStored() {
    let isLast = unstoredBatches.withLock { count in
      count -= 1
      return count == 0
    }
    if isLast { signal() }
  }
}

extension Send {
  /// The time from which the send's duration is measured; `nil` if each device has its own time.
  fileprivate var startTime: Timestamp? {
    isLocalTime ? nil : max(createdAt, scheduledAt ?? createdAt)
  }
}

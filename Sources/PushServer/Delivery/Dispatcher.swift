import APNs
package import PushStore
import Synchronization

/// Takes batches from the store's queue, sends them, and writes down what became of each device.
///
/// Everything it knows stands in the store, so it may end at any point: a batch whose lease lapses
/// is sent again to the devices without an outcome, as the same push.
package final class Dispatcher: Sendable {
  /// Longer than any push may take, so that a live worker's batch is not taken from it.
  static let leaseDuration = Duration.seconds(120)

  private let store: any PushStore
  private let sender: any PushSender
  private let clock: ServerClock
  private let owner: String
  private let log: @Sendable (String) -> Void
  private let bells: [Bell]
  private let isStopping = Mutex(false)

  /// Wakes one worker; rings that come while it works are one ring.
  private struct Bell: Sendable {
    let rings: AsyncStream<Void>
    let rope: AsyncStream<Void>.Continuation

    init() { (rings, rope) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }
  }

  /// Makes one that is idle until ``run()``.
  ///
  /// `owner` is this node's name: what it had leased before it ended is due at once. `workers` is
  /// how many batches are on their way at the same time.
  package init(
    store: any PushStore, sender: any PushSender, clock: ServerClock = .system,
    owner: String = "node", workers: Int = 4, log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.store = store
    self.sender = sender
    self.clock = clock
    self.owner = owner
    self.log = log
    bells = (0..<max(1, workers)).map { _ in Bell() }
  }

  /// Tells the workers that there may be a batch.
  package func ring() { for bell in bells { bell.rope.yield() } }

  /// Lets ``run()`` return once the batches on their way have ended.
  package func stop() {
    isStopping.withLock { $0 = true }
    for bell in bells { bell.rope.finish() }
  }

  /// Works until ``stop()``.
  package func run() async {
    do {
      try await store.releaseBatches(owner: owner)
    } catch {
      log("releasing batches: \(error)")
    }
    await withTaskGroup { group in
      for bell in bells { group.addTask { await self.work(bell) } }
    }
  }

  private func work(_ bell: Bell) async {
    var rings = bell.rings.makeAsyncIterator()
    while true {
      let wait = await deliverDue()
      let timer = wait.map { wait in
        Task { [clock] in
          try await clock.sleep(wait)
          bell.rope.yield()
        }
      }
      let isOver = await rings.next() == nil
      timer?.cancel()
      if isOver { return }
    }
  }

  /// Delivers what is due and returns how long nothing more will be; `nil` is until the next ring.
  package func deliverDue() async -> Duration? {
    do {
      while !isStopping.withLock(\.self) {
        let now = clock.now()
        let end = now + Self.leaseDuration
        guard let batch = try await store.leaseBatch(owner: owner, at: now, until: end) else {
          guard let next = try await store.nextBatchTime() else { return nil }
          return max(.milliseconds(1), next.since(clock.now()))
        }
        try await deliver(batch)
      }
      return nil
    } catch {
      log("delivering: \(error)")
      return .seconds(1)
    }
  }

  private func deliver(_ batch: Batch) async throws {
    guard let app = try await store.app(batch.send.app) else { return }
    var delivery = Delivery(batch, topic: app.bundleID, at: clock.now())
    let pushes = (production: delivery.production, development: delivery.development)
    do {
      async let production = send(pushes.production.notifications, app, development: false)
      async let development = send(pushes.development.notifications, app, development: true)
      let answers = try await (production, development)
      let now = clock.now()
      delivery.take(answers.0, to: pushes.production, at: now)
      delivery.take(answers.1, to: pushes.development, at: now)
    } catch {
      log("app \(app.id): \(error)")
      // A key that cannot be read will not be readable later; anything else may pass.
      if (error as? APNsError)?.code == .badCredentials {
        delivery.refuseAll("BadCredentials", at: clock.now())
      }
    }
    let now = clock.now()
    if delivery.outcomes.count < batch.targets.count {
      let left = batch.targets.count - delivery.outcomes.count
      log("notification \(batch.send.id): \(left) devices are to be tried again")
    }
    try await store.finish(
      batch, outcomes: delivery.outcomes, retryAt: delivery.retryTime(at: now), at: now)
  }

  private func send(
    _ pushes: [APNsNotification], _ app: App, development: Bool
  ) async throws -> [APNsOutcome] {
    guard !pushes.isEmpty else { return [] }
    return try await sender.send(pushes, for: app, development: development)
  }
}

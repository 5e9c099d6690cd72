import APNs
import PushPayload
package import PushStore
import Synchronization

/// Takes batches from the store's queue, sends them, and writes down what became of each device.
///
/// Everything it knows stands in the store, so it may end at any point: a batch whose lease lapses
/// is sent again to the devices without an outcome, as the same push.
package final class Dispatcher: Sendable {
  /// How soon others take a batch whose node died; a live one's lease is extended all the time.
  static let leaseDuration = Duration.seconds(30)

  private let store: any PushStore
  private let sender: any PushSender
  private let clock: ServerClock
  private let owner: String
  private let metrics: ServerMetrics
  private let underWay = SendsUnderWay()
  private let log: @Sendable (String) -> Void
  private let bells: [Bell]
  private let isStopping = Mutex(false)
  /// How many batches have outcomes that the store does not take.
  private let held = Mutex(0)
  /// When it was last said of an app what is wrong with all its sends.
  private let told = Mutex<[Trouble: Timestamp]>([:])

  private struct Trouble: Hashable {
    enum Kind { case outage, doubt }
    var app: String
    var kind: Kind
  }

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
    owner: String = "node", workers: Int = 4, metrics: ServerMetrics = ServerMetrics(),
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.store = store
    self.sender = sender
    self.clock = clock
    self.owner = owner
    self.metrics = metrics
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
    let hand = Hand()
    var keeper: Task<Void, Never>?
    defer { keeper?.cancel() }
    do {
      while !isStopping.withLock(\.self) {
        // What is sent now could not be written down either.
        if held.withLock({ $0 > 0 }) { return Self.firstPause }
        guard let due = try await store.nextBatchTime() else { return nil }
        let now = clock.now()
        guard due <= now else { return due.since(now) }
        let end = now + Self.leaseDuration
        // Nothing where another worker was faster, or what was due was a send's end.
        guard let batch = try await store.leaseBatch(owner: owner, at: now, until: end) else {
          continue
        }
        // What was due at once has no time of its own.
        if due.milliseconds > 0 { metrics.passed(.wait, in: now.since(due)) }
        hand.batch.withLock { $0 = batch }
        keeper = keeper ?? Task { await keep(hand) }
        try await deliver(batch, hand)
        hand.batch.withLock { $0 = nil }
      }
      return nil
    } catch {
      log("delivering: \(error)")
      return .seconds(1)
    }
  }

  /// What a worker has in hand.
  private final class Hand: Sendable {
    let batch = Mutex<Batch?>(nil)
    /// Since when Apple has owed answers.
    let asked = Mutex<Timestamp?>(nil)
  }

  /// Keeps the lease of what a worker has in hand from lapsing, and says where Apple lets it wait.
  private func keep(_ hand: Hand) async {
    while (try? await clock.sleep(Self.leaseDuration / 3)) != nil {
      guard let batch = hand.batch.withLock(\.self) else { continue }
      let now = clock.now()
      if let asked = hand.asked.withLock(\.self), now.since(asked) >= Self.longWait {
        tell(
          of: .outage, batch.send.app,
          "Apple has not answered a batch of pushes for 10 s; they wait")
      }
      // A store that is away for a while is met again.
      try? await store.extend(batch, at: now, until: now + Self.leaseDuration)
    }
  }

  private func deliver(_ batch: Batch, _ hand: Hand) async throws {
    guard let app = try await store.app(batch.send.app) else { return }
    let start = ContinuousClock.now
    var delivery = try await compose(batch, topic: app.bundleID)
    let composed = ContinuousClock.now
    metrics.passed(.compose, in: composed - start)
    hand.asked.withLock { $0 = clock.now() }
    await deliver(&delivery, of: app)
    hand.asked.withLock { $0 = nil }
    let delivered = ContinuousClock.now
    metrics.passed(.deliver, in: delivered - composed)

    let left = delivery.leftCount
    if delivery.unanswered.count > 0 {
      tell(
        of: .outage, app.id,
        "Apple is out of reach: \(delivery.unanswered.message ?? "no answer");"
          + " notification \(batch.send.id) is tried again for \(left) devices")
    } else if left > 0 {
      log("notification \(batch.send.id): \(left) devices are to be tried again")
    }
    if delivery.moved > 0 {
      log("notification \(batch.send.id): \(delivery.moved) devices are of Apple's other host")
    }
    try await record(delivery, of: batch)
    metrics.passed(.record, in: .now - delivered)
  }

  /// How long Apple may take for a batch until that is said, and how often it is said of an app.
  private static let (longWait, silence) = (Duration.seconds(10), Duration.seconds(60))

  private func tell(of kind: Trouble.Kind, _ app: String, _ message: String) {
    let now = clock.now()
    let trouble = Trouble(app: app, kind: kind)
    let isNews = told.withLock { told in
      if let last = told[trouble], last <= now, now.since(last) < Self.silence { return false }
      told[trouble] = now
      return true
    }
    if isNews { log("app \(app): \(message)") }
  }

  /// The first pause where a store takes nothing; each is twice as long, up to the longest.
  private static let firstPause = Duration.seconds(1)
  private static let longestPause = Duration.seconds(15)
  /// How often a node that is told to stop still tries to write down what it knows.
  private static let lastAttempts = 3

  /// Writes down what Apple answered.
  ///
  /// A push cannot be taken back, so what became of it is kept until a store that is locked, full or
  /// away takes it; meanwhile this node sends nothing more.
  private func record(_ delivery: Delivery, of batch: Batch) async throws {
    var pause = Self.firstPause
    var attemptsLeft = Self.lastAttempts
    var isHeld = false
    defer { if isHeld { release() } }
    while true {
      let now = clock.now()
      do throws(StoreError) {
        let end = try await store.finish(
          batch, outcomes: delivery.outcomes, retries: delivery.retries(at: now),
          alarm: delivery.alarm, at: now)
        if let reason = end.pause { log("notification \(batch.send.id) is paused: \(reason)") }
        if let reason = end.doubt { tell(of: .doubt, batch.send.app, reason) }
        metrics.left(unmarked: end.unmarked)
        return
      } catch {
        if isStopping.withLock(\.self) { attemptsLeft -= 1 }
        guard error.isTransient, attemptsLeft > 0 else { throw error }
        log("notification \(batch.send.id): what became of it cannot be written down: \(error)")
      }
      if !isHeld {
        isHeld = true
        held.withLock { $0 += 1 }
      }
      try await clock.sleep(pause)
      pause = min(pause * 2, Self.longestPause)
    }
  }

  private func release() {
    let isOver = held.withLock { held in
      held -= 1
      return held == 0
    }
    if isOver { ring() }
  }

  /// The batch's pushes; a send of which none can be made fails as a whole.
  private func compose(_ batch: Batch, topic: String) async throws -> Delivery {
    let now = clock.now()
    let composer: Composer
    do throws(ComposeError) {
      composer = try underWay.composer(of: batch.send, at: now)
    } catch {
      // It was checked when it was accepted, by an older version perhaps.
      log("notification \(batch.send.id): \(error)")
      _ = try? await store.order(
        .fail(error.message), send: batch.send.id, app: batch.send.app, at: now)
      return Delivery(refusing: batch, at: now)
    }
    var wanted = DeviceNumbers()
    for target in batch.targets
    where target.token != nil && composer.needsRecipient(hasKeys: target.hasKeys) {
      wanted.append(target.number)
    }
    let recipients =
      wanted.isEmpty ? [] : try await store.recipients(app: batch.send.app, numbers: wanted)
    return Delivery(batch, composer: composer, recipients: recipients, topic: topic, at: now)
  }

  /// Sends what there is, in rounds, to both of Apple's hosts.
  private func deliver(_ delivery: inout Delivery, of app: App) async {
    while let hosts = delivery.next() {
      do {
        let answers = try await send(hosts.production, hosts.development, of: app)
        let now = clock.now()
        delivery.take(answers.production, to: hosts.production, at: now)
        delivery.take(answers.development, to: hosts.development, at: now)
      } catch {
        log("app \(app.id): \(error)")
        // A key that cannot be read will not be readable later; anything else may pass.
        if (error as? APNsError)?.code == .badCredentials {
          delivery.hold("the app's key cannot be used: \(error); give it another one, then resume")
        }
      }
    }
    guard delivery.alarm != nil else { return }
    // Somebody may have mended the key while these were on their way.
    let current = try? await store.app(app.id)
    if let current, !current.hasCredentials(of: app) { delivery.dropAlarm() }
  }

  private func send(
    _ production: Delivery.Pushes, _ development: Delivery.Pushes, of app: App
  ) async throws -> (production: [APNsOutcome], development: [APNsOutcome]) {
    // As a rule all are of one host, and nothing runs beside them.
    if development.notifications.isEmpty {
      return (try await send(production.notifications, app, development: false), [])
    }
    async let first = send(production.notifications, app, development: false)
    async let second = send(development.notifications, app, development: true)
    return try await (first, second)
  }

  private func send(
    _ pushes: [APNsNotification], _ app: App, development: Bool
  ) async throws -> [APNsOutcome] {
    guard !pushes.isEmpty else { return [] }
    return try await sender.send(pushes, for: app, development: development)
  }
}

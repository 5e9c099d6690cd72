import PushModel
import Synchronization
import _Curl
import _HTTPServer
import _RecordedDisk

@testable import PushServer
@testable import PushStore

/// One life of the server's process: the real store, routes, delivery, webhooks and runners, without sockets.
final class SimulationNode: Sendable {
  /// Whether the process lives, for all that its tasks could do to others.
  final class Life: Sendable {
    let number: Int
    private let hasDied = Mutex(false)

    init(number: Int) { self.number = number }

    var isOver: Bool { hasDied.withLock(\.self) }
    func end() { hasDied.withLock { $0 = true } }
  }

  /// Where a node has its store.
  enum Home: Sendable {
    /// A file on a disk of its own.
    case disk(NodeDisk)
    /// A database that other nodes have too.
    case database(SharedDatabase, DatabaseWay)
  }

  let life: Life
  private let home: Home
  /// The store, which must end before the disk.
  let store: SQLitePushStore
  let router: Router
  private let dispatcher: Dispatcher
  private let housekeeping: Housekeeping
  private let webhooks: WebhookWorker
  private let announcements: AsyncStream<Void>?
  private let clock: ServerClock
  private let running = Mutex<Task<Void, Never>?>(nil)
  private let ended = Mutex(false)

  /// Whether all tasks of the node have ended.
  var hasEnded: Bool { ended.withLock(\.self) }

  /// Opens the store, as a process does that starts.
  ///
  /// - Parameters:
  ///   - life: The node's life.
  ///   - home: Where the store is.
  ///   - parts: What the node gets from the world.
  /// - Throws: `StoreError` if the store cannot be opened.
  init(life: Life, in home: Home, parts: Parts) throws(StoreError) {
    let own: any SQLPushStore
    let owner: String
    switch home {
    case .disk(let disk):
      store = try SQLitePushStore(path: disk.path, disk: disk.recorded.name) {
        parts.scheduler.makeRunner(owner: life.number)
      }
      (own, owner) = (store, "node")
    case .database(let database, let way):
      store = database.store
      own = SharedStore(database: database, way: way, scheduler: parts.scheduler)
      // The batches of a dead node are leased again when their leases have ended.
      owner = "node \(life.number)"
    }
    let used = parts.storing(own)
    let (isWoken, log) = (parts.isWoken, parts.log)
    let dispatcher = Dispatcher(
      store: used, sender: parts.sender, clock: parts.clock, owner: owner, workers: parts.workers,
      log: parts.log)
    router = Router(
      Actions(
        store: used, secretKey: parts.secretKey, clock: parts.clock,
        wakeDelivery: { if isWoken { dispatcher.signal() } },
        log: { log($0.message) }))
    housekeeping = Housekeeping(
      store: used, retention: Retention(), uploads: nil, clock: parts.clock, log: parts.log)
    webhooks = WebhookWorker(
      store: used, secretKey: parts.secretKey, http: parts.http, targets: WebhookTargets(),
      clock: parts.clock, owner: owner, log: parts.log)
    announcements = used.announcements()
    (self.life, self.home, self.clock, self.dispatcher) = (life, home, parts.clock, dispatcher)
  }

  /// What a node gets from its world.
  struct Parts {
    var scheduler: Scheduler
    var clock: ServerClock
    var secretKey: SecretKey
    var sender: any PushSender
    var http: any HTTPClient
    var workers: Int
    /// Whether delivery is woken when a send was accepted.
    var isWoken = true
    /// The store that the node uses, made of its own.
    var storing: (any SQLPushStore) -> any PushStore = { $0 }
    var log: @Sendable (String) -> Void
  }

  // MARK: Death

  /// The change of the disk, or the transaction, at which the node has died; `nil` if it lives.
  var death: Int? {
    switch home {
    case .disk(let disk): disk.death
    case .database(_, let way): way.death
    }
  }

  /// Lets the node die after some more changes of its disk, or transactions.
  func die(after count: Int) {
    switch home {
    case .disk(let disk): disk.die(after: count)
    case .database(_, let way): way.die(after: count)
    }
  }

  /// Ends the failures of the disk, or of the way to the database.
  func heal() {
    switch home {
    case .disk(let disk): disk.live()
    case .database(_, let way): way.heal()
    }
  }

  /// The files that the node's next life finds; `nil` if they are another's.
  ///
  /// The parameters are those of ``NodeDisk/survivors(of:powerFailsBy:ignoresSyncs:)``.
  func survivors(
    of position: Int, powerFailsBy chance: Chance?, ignoresSyncs: Bool
  ) -> [String: [UInt8]]? {
    guard case .disk(let disk) = home else { return nil }
    return disk.survivors(of: position, powerFailsBy: chance, ignoresSyncs: ignoresSyncs)
  }

  // MARK: Life

  /// Begins to deliver, and to do what no request asks for.
  func start() {
    let task = Task {
      await run()
      ended.withLock { $0 = true }
    }
    running.withLock { $0 = task }
  }

  /// Counts as ended without having begun.
  func startEnded() { ended.withLock { $0 = true } }

  private func run() async {
    let (actions, audiences) = (router.actions, router.audiences)
    await withDiscardingTaskGroup { group in
      group.addTask { [dispatcher] in await dispatcher.run() }
      group.addTask { [housekeeping] in await housekeeping.run() }
      // The pauses are longer than a server's, because each poll costs the simulation as much as a push.
      group.addTask { await actions.importRunner.run(every: .seconds(300)) }
      group.addTask { await actions.campaignRunner.run(every: .seconds(60)) }
      group.addTask { await actions.keeperRunner.run(every: .seconds(300)) }
      group.addTask { [webhooks] in await webhooks.run(width: 2, every: .seconds(60)) }
      if let announcements {
        group.addTask { [dispatcher] in for await _ in announcements { dispatcher.signal() } }
        // A node that dies announces nothing.
        group.addTask { [dispatcher, clock] in
          while (try? await clock.sleep(.seconds(60))) != nil { dispatcher.signal() }
        }
      }
      group.addTask { [router, clock] in
        await router.prepareAudiences()
        await audiences.follow(every: .seconds(60), clock: clock)
      }
    }
  }

  /// Ends the process at once: from now on nobody sees what its tasks do.
  ///
  /// Its tasks run to their end on a disk that nobody reads, so that none of them is left.
  func die(in scheduler: Scheduler) {
    life.end()
    stop()
    scheduler.endTimers(of: life.number)
  }

  /// Lets the node end as a process does that is asked to.
  func stop() {
    dispatcher.stop()
    running.withLock(\.self)?.cancel()
  }
}

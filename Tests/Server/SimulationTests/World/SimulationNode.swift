import PushModel
import Synchronization
import _HTTPServer
import _RecordedDisk

@testable import PushServer
@testable import PushStore

/// One life of the server's process: the real store, routes, delivery and runners, without sockets and webhooks.
final class SimulationNode: Sendable {
  /// Whether the process lives, for all that its tasks could do to others.
  final class Life: Sendable {
    let number: Int
    private let hasDied = Mutex(false)

    init(number: Int) { self.number = number }

    var isOver: Bool { hasDied.withLock(\.self) }
    func end() { hasDied.withLock { $0 = true } }
  }

  let life: Life
  let disk: NodeDisk
  /// The store, which must end before the disk.
  let store: SQLitePushStore
  let router: Router
  private let dispatcher: Dispatcher
  private let housekeeping: Housekeeping
  private let clock: ServerClock
  private let running = Mutex<Task<Void, Never>?>(nil)
  private let ended = Mutex(false)

  /// Whether all tasks of the node have ended.
  var hasEnded: Bool { ended.withLock(\.self) }

  /// Opens the store on a disk, as a process does that starts.
  ///
  /// - Parameters:
  ///   - life: The node's life.
  ///   - disk: The node's disk.
  ///   - parts: What the node gets from the world.
  /// - Throws: `StoreError` if the store cannot be opened.
  init(life: Life, disk: NodeDisk, parts: Parts) throws(StoreError) {
    store = try SQLitePushStore(path: disk.path, disk: disk.recorded.name) {
      parts.scheduler.makeRunner(owner: life.number)
    }
    let used = parts.storing(store)
    let (isWoken, log) = (parts.isWoken, parts.log)
    let dispatcher = Dispatcher(
      store: used, sender: parts.sender, clock: parts.clock, workers: parts.workers, log: parts.log)
    router = Router(
      Actions(
        store: used, secretKey: parts.secretKey, clock: parts.clock,
        wakeDelivery: { if isWoken { dispatcher.signal() } },
        log: { log($0.message) }))
    housekeeping = Housekeeping(
      store: used, retention: Retention(), uploads: nil, clock: parts.clock, log: parts.log)
    (self.life, self.disk, self.clock, self.dispatcher) = (life, disk, parts.clock, dispatcher)
  }

  /// What a node gets from its world.
  struct Parts {
    var scheduler: Scheduler
    var clock: ServerClock
    var secretKey: SecretKey
    var sender: any PushSender
    var workers: Int
    /// Whether delivery is woken when a send was accepted.
    var isWoken = true
    /// The store that the node uses, made of its own.
    var storing: (SQLitePushStore) -> any PushStore = { $0 }
    var log: @Sendable (String) -> Void
  }

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

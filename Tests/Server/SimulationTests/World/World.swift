import PushModel
import PushPayload
import Synchronization

@testable import PushServer
@testable import PushStore

/// A simulated world: one node, Apple, phones and callers, on one thread with one clock and one seed.
final class World: Sendable {
  let plan: SimulationPlan
  let scheduler: Scheduler
  let journal: Journal
  let findings = Findings()
  let records: Records
  let apns: SimulatedAPNs
  let network: NetworkFaults
  let chain = Chain()
  private let planted: PlantedFault?
  private let statements: Statements?
  private let secretKey: SecretKey
  private let networkChance: Chance
  private let diskChance: Chance
  let callerChance: Chance
  private let state = Mutex(State())

  private struct State {
    var node: SimulationNode?
    /// Every life so far, and its disk, which must outlive the connections to it.
    var lives: [SimulationNode] = []
    var disks: [NodeDisk] = []
    var death: SimulationEvent.Death?
    /// The time by which the node's clock is ahead.
    var skew = Duration.zero
    var isHealed = false
    /// Whether the store cannot be opened any more.
    var isLost = false
    var app = ""
    var keys: [APIKey.Role: String] = [:]
  }

  init(_ plan: SimulationPlan, planted: PlantedFault?, statements: Statements?) throws {
    let options = plan.options
    (self.plan, self.planted, self.statements) = (plan, planted, statements)
    scheduler = Scheduler(seed: plan.seed, slowWorks: options.slowWorks)
    beginning = scheduler.now
    journal = Journal(from: beginning)
    records = Records(phones: options.phones)
    apns = try SimulatedAPNs()
    network = NetworkFaults(options.faults, latency: 5...options.longestLatency)
    networkChance = Chance(seed: plan.seed, purpose: 1)
    diskChance = Chance(seed: plan.seed, purpose: 2)
    callerChance = Chance(seed: plan.seed, purpose: 3)
    guard let key = SecretKey(SecretKey.randomBytes()) else { throw CancellationError() }
    secretKey = key
  }

  /// The time at which the world begins.
  let beginning: Timestamp

  func note(_ line: String) { journal.note(line, at: scheduler.now) }

  // MARK: What others see

  /// The node; `nil` while none runs.
  var node: SimulationNode? { state.withLock(\.node) }
  var lives: [SimulationNode] { state.withLock(\.lives) }
  /// The number of lives so far.
  var lifeCount: Int { state.withLock(\.disks.count) }
  var isLost: Bool { state.withLock(\.isLost) }
  var isHealed: Bool { state.withLock(\.isHealed) }
  /// The time by the node's clock.
  var nodeTime: Timestamp { scheduler.now + state.withLock(\.skew) }
  func key(_ role: APIKey.Role) -> String { state.withLock { $0.keys[role] ?? "" } }
  /// The id of the app.
  var app: String { state.withLock(\.app) }
  func setApp(_ id: String, keys: [APIKey.Role: String]) {
    state.withLock { ($0.app, $0.keys) = (id, keys) }
  }
  var key: SecretKey { secretKey }

  // MARK: The node's lives

  /// Starts a node on files that an earlier one has left.
  ///
  /// `again` is the number of changes of the disk after which it dies.
  func startNode(on files: [String: [UInt8]], dyingAfter again: Int? = nil) {
    let number = state.withLock { $0.lives.count } + 1
    do {
      let (life, disk) = (SimulationNode.Life(number: number), try NodeDisk(files))
      if let again { disk.die(after: again) }
      let node = try SimulationNode(life: life, disk: disk, parts: parts(of: life))
      state.withLock { state in
        state.node = node
        state.lives.append(node)
        state.disks.append(disk)
      }
      note("node \(number) starts")
      // A node that died while it opened its store has started nothing.
      if disk.death == nil { node.start() } else { node.startEnded() }
      if planted == .taskIsLeft { leaveTask(using: node.store) }
    } catch {
      note("node \(number) cannot open its store: \(error)")
      findings.add(.answered, "the store cannot be opened: \(error)")
      state.withLock { $0.isLost = true }
    }
  }

  private func parts(of life: SimulationNode.Life) -> SimulationNode.Parts {
    let (scheduler, number) = (scheduler, life.number)
    let note: @Sendable (String) -> Void = { [self] line in
      if !life.isOver { self.note("node \(number): \(line)") }
    }
    let clock = ServerClock(
      now: { [self] in nodeTime },
      sleep: { duration in
        if life.isOver { throw CancellationError() }
        try await scheduler.sleep(duration, owner: number)
      })
    let sender = SimulatedNetwork(
      of: life, to: apns, in: scheduler, faults: network, chance: networkChance, planted: planted,
      note: note)
    var parts = SimulationNode.Parts(
      scheduler: scheduler, clock: clock, secretKey: secretKey, sender: sender,
      workers: plan.options.workers, log: note)
    parts.isWoken = planted != .wakeupIsLost
    if planted?.isOfStore ?? false || statements != nil {
      let chance = Chance(seed: plan.seed, purpose: 4)
      parts.storing = { [planted, statements] store in
        FaultyStore(base: store, fault: planted, statements: statements, chance: chance)
      }
    }
    return parts
  }

  /// Lets the node die; see ``SimulationEvent/Death``.
  func die(_ death: SimulationEvent.Death) {
    state.withLock { state in
      guard let node = state.node, !state.isHealed, node.disk.death == nil else { return }
      state.death = death
      node.disk.die(after: death.changes)
    }
  }

  /// Ends the node if it has come to the change of its disk at which it dies.
  func endDeadNode() {
    guard let node, let position = node.disk.death else { return }
    let death = state.withLock { state in
      state.node = nil
      return state.death
    }
    let isPowerFailure = death?.isPowerFailure ?? false
    note("node \(node.life.number) \(isPowerFailure ? "loses power" : "is killed") at \(position)")
    node.die(in: scheduler)
    let files = node.disk.survivors(
      of: position, powerFailsBy: isPowerFailure ? diskChance : nil,
      ignoresSyncs: planted == .diskIgnoresSyncs)
    let again = state.withLock { state in
      defer { state.death?.again = nil }
      return state.isHealed ? nil : state.death?.again
    }
    scheduler.after(.seconds(death?.downtime ?? 0)) { [self] in
      startNode(on: files, dyingAfter: again)
    }
  }

  /// Forgets all lives.
  ///
  /// - Returns: What tells whether the stores of the lives, by their numbers, are still in use.
  func forgetLives() -> [(life: Int, isInUse: @Sendable () -> Bool)] {
    state.withLock { state in
      defer { (state.node, state.lives) = (nil, []) }
      return state.lives.map { node in
        (node.life.number, { [weak store = node.store] in store != nil })
      }
    }
  }

  private func leaveTask(using store: SQLitePushStore) {
    Task {
      let (stream, continuation) = AsyncStream<Never>.makeStream()
      for await _ in stream {}
      withExtendedLifetime((store, continuation)) {}
    }
  }

  func setClock(by duration: Duration) {
    state.withLock { $0.skew += duration }
    note("the node's clock is set by \(duration)")
  }

  /// Ends all troubles: from now on nothing fails.
  func heal() {
    network.heal()
    state.withLock { state in
      state.isHealed = true
      state.node?.disk.live()
    }
    note("nothing fails from now on")
  }
}

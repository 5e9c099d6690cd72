import PushModel
import PushPayload
import Synchronization

@testable import PushServer
@testable import PushStore

/// A simulated world: nodes, Apple, phones and callers, on one thread with one clock and one seed.
final class World: Sendable {
  let plan: SimulationPlan
  let scheduler: Scheduler
  let journal: Journal
  let findings = Findings()
  let records: Records
  let apns: SimulatedAPNs
  let network: NetworkFaults
  let receiver = SimulatedReceiver(secret: "secret of the webhook")
  private let receiverFaults: NetworkFaults
  let chain = Chain()
  private let planted: PlantedFault?
  private let statements: Statements?
  private let secretKey: SecretKey
  private let networkChance: Chance
  private let diskChance: Chance
  let receiverChance: Chance
  let receiptChance: Chance
  let callerChance: Chance
  private let nodeChance: Chance
  private let state = Mutex(State())

  private struct State {
    /// The nodes that live.
    var nodes: [SimulationNode] = []
    /// Every life so far.
    var lives: [SimulationNode] = []
    /// The disks of stores, which must outlive the connections to them.
    var disks: [NodeDisk] = []
    /// The database of several nodes.
    var database: SharedDatabase?
    var lifeCount = 0
    /// How a node died last, or is to die.
    var death: SimulationEvent.Death?
    /// The time by which a node's clock is ahead: of several nodes by life; the lives of one node have one clock, that of life 0.
    var skews: [Int: Duration] = [:]
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
    receiverFaults = NetworkFaults(options.faults, latency: 5...options.longestLatency)
    networkChance = Chance(seed: plan.seed, purpose: 1)
    diskChance = Chance(seed: plan.seed, purpose: 2)
    callerChance = Chance(seed: plan.seed, purpose: 3)
    receiverChance = Chance(seed: plan.seed, purpose: 5)
    receiptChance = Chance(seed: plan.seed, purpose: 7)
    nodeChance = Chance(seed: plan.seed, purpose: 8)
    guard let key = SecretKey(SecretKey.randomBytes()) else { throw CancellationError() }
    secretKey = key
  }

  /// The time at which the world begins.
  let beginning: Timestamp

  func note(_ line: String) { journal.note(line, at: scheduler.now) }

  // MARK: What others see

  /// A node that runs, by chance if several do; `nil` while none does.
  var node: SimulationNode? {
    let nodes = self.nodes
    return nodes.count > 1 ? nodes[nodeChance.number(in: 0...(nodes.count - 1))] : nodes.first
  }
  var nodes: [SimulationNode] { state.withLock(\.nodes) }
  var lives: [SimulationNode] { state.withLock(\.lives) }
  /// The number of lives so far.
  var lifeCount: Int { state.withLock(\.lifeCount) }
  var isLost: Bool { state.withLock(\.isLost) }
  var isHealed: Bool { state.withLock(\.isHealed) }
  /// The time by the node's clock; of several nodes, by the clock of their database, which is never set.
  var nodeTime: Timestamp { time(ofLife: 0) }
  /// The time by the clock of a node, or by that which is the furthest ahead.
  func time(ofLife number: Int?) -> Timestamp {
    let skews = state.withLock(\.skews)
    let skew = if let number { skews[number] } else { skews.values.max() }
    return scheduler.now + (skew ?? .zero)
  }
  func key(_ role: APIKey.Role) -> String { state.withLock { $0.keys[role] ?? "" } }
  /// The id of the app.
  var app: String { state.withLock(\.app) }
  func setApp(_ id: String, keys: [APIKey.Role: String]) {
    state.withLock { ($0.app, $0.keys) = (id, keys) }
  }
  var key: SecretKey { secretKey }

  // MARK: The node's lives

  /// Starts the nodes of the world, of which several have one database.
  func startNodes(on files: [String: [UInt8]]) {
    guard plan.options.nodes > 1 else { return startNode(on: files) }
    do {
      let disk = try NodeDisk(files)
      let database = try SharedDatabase(disk, scheduler: scheduler)
      state.withLock { state in
        state.database = database
        state.disks.append(disk)
      }
    } catch {
      findings.add(.answered, "the database cannot be opened: \(error)")
      return state.withLock { $0.isLost = true }
    }
    for _ in 0..<plan.options.nodes { startNode(on: nil) }
  }

  /// Starts a node on files that an earlier one has left, or with the database of all nodes.
  ///
  /// `again` is the number of changes of the disk, or of transactions, after which it dies.
  private func startNode(on files: [String: [UInt8]]?, dyingAfter again: Int? = nil) {
    let number = state.withLock { state in
      state.lifeCount += 1
      return state.lifeCount
    }
    do {
      let life = SimulationNode.Life(number: number)
      let home: SimulationNode.Home
      if let database = state.withLock(\.database) {
        let way = DatabaseWay(of: life, plan.options.database, chance: nodeChance)
        if isHealed { way.heal() }
        if let again { way.die(after: again + 1) }
        home = .database(database, way)
      } else {
        let disk = try NodeDisk(files ?? [:])
        state.withLock { $0.disks.append(disk) }
        if let again { disk.die(after: again) }
        home = .disk(disk)
      }
      let node = try SimulationNode(life: life, in: home, parts: parts(of: life))
      state.withLock { state in
        state.nodes.append(node)
        state.lives.append(node)
      }
      note("node \(number) starts")
      // A node that died while it opened its store has started nothing.
      if node.death == nil { node.start() } else { node.startEnded() }
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
      now: { [self, isAlone = plan.options.nodes == 1] in time(ofLife: isAlone ? 0 : number) },
      sleep: { duration in
        if life.isOver { throw CancellationError() }
        try await scheduler.sleep(duration, owner: number)
      })
    let sender = SimulatedNetwork(
      of: life, to: apns, in: scheduler, faults: network, chance: networkChance, planted: planted,
      arrived: { [self] in arrive($0) }, note: note)
    let http = WayToReceiver(
      life: life, receiver: receiver, scheduler: scheduler, faults: receiverFaults,
      chance: receiverChance, planted: planted, note: note)
    var parts = SimulationNode.Parts(
      scheduler: scheduler, clock: clock, secretKey: secretKey, sender: sender, http: http,
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

  /// Lets a node die; see ``SimulationEvent/Death``.
  func die(_ death: SimulationEvent.Death) {
    guard !isHealed, let node, node.death == nil else { return }
    state.withLock { $0.death = death }
    node.die(after: death.changes)
  }

  /// Ends the nodes that have come to the change at which they die.
  func endDeadNodes() {
    for node in nodes {
      if let position = node.death { end(node, at: position) }
    }
  }

  private func end(_ node: SimulationNode, at position: Int) {
    let death = state.withLock { state in
      state.nodes.removeAll { $0 === node }
      return state.death
    }
    let isPowerFailure = death?.isPowerFailure ?? false
    note("node \(node.life.number) \(isPowerFailure ? "loses power" : "is killed") at \(position)")
    node.die(in: scheduler)
    let files = node.survivors(
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
      defer { (state.nodes, state.lives, state.database) = ([], [], nil) }
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

  /// Sets the clock of the node, or of one of several.
  func setClock(by duration: Duration) {
    guard let life = plan.options.nodes == 1 ? 0 : node?.life.number else { return }
    state.withLock { $0.skews[life, default: .zero] += duration }
    note("\(life == 0 ? "the node's clock" : "the clock of node \(life)") is set by \(duration)")
  }

  /// Ends all troubles: from now on nothing fails.
  func heal() {
    network.heal()
    receiverFaults.heal()
    state.withLock { state in
      state.isHealed = true
      for node in state.nodes { node.heal() }
    }
    note("nothing fails from now on")
  }
}

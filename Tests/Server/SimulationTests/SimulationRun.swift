import PushModel
import Synchronization
import _Determinism

/// One run of a simulated world, and what it has found.
struct SimulationRun: Sendable {
  /// The most pieces of work of a world for each of its nodes; a usual one takes a few thousand.
  private static let stepLimit = 100_000

  let journal: [String]
  let findings: [String]
  let promises: [Promise]
  let steps: Int
  /// The time that has passed in the world.
  let time: Duration
  let pushes: Int
  let lives: Int

  var hasFailed: Bool { !findings.isEmpty }

  /// A line with what happened, which the same seed repeats.
  var summary: String {
    "\(hasFailed ? "broken" : "kept"), \(steps) steps, \(time.components.seconds) s,"
      + " \(pushes) pushes, \(lives) lives"
  }

  /// Runs a plan on this thread.
  init(
    _ plan: SimulationPlan, planted: PlantedFault? = nil, statements: Statements? = nil
  ) throws {
    let files = try EmptyStore.files.get()
    self = try CapturedJobs.capture {
      RandomBytes.seed(plan.seed)
      let world = try World(plan, planted: planted, statements: statements)
      let start = world.scheduler.now
      world.startNodes(on: files)
      Self.play(world)
      return SimulationRun(world, from: start)
    }
  }

  private init(_ world: World, from start: Timestamp) {
    let progress = world.scheduler.progress
    journal = world.journal.lines + ["\(progress.steps) steps, \(progress.trace)"]
    (findings, promises) = (world.findings.lines, world.findings.promises)
    (steps, time) = (progress.steps, world.scheduler.now.since(start))
    (pushes, lives) = (world.apns.arrivals.count, world.lifeCount)
  }

  /// Lets a world go to its end, and checks it.
  private static func play(_ world: World) {
    let result = Result()
    Task { result.set(await world.play()) }
    let limit = stepLimit * world.plan.options.nodes
    let end = world.scheduler.run(
      atMost: limit, afterStep: world.endDeadNodes, until: { result.isKnown || world.isLost })
    if end != .over { world.findings.add(.end, "the world does not end, it is \(end)") }
    if let answers = result.answers {
      world.checkPushes(and: answers.campaigns.values.flatMap { $0.sends.map(\.record) })
      world.check(answers)
    }
    world.end(atMost: limit)
  }

  /// What a world's task leaves for the thread that runs it.
  private final class Result: Sendable {
    private let value = Mutex<FinalAnswers??>(nil)
    var isKnown: Bool { value.withLock { $0 != nil } }
    var answers: FinalAnswers? { value.withLock { $0 ?? nil } }
    func set(_ answers: FinalAnswers?) { value.withLock { $0 = .some(answers) } }
  }
}

import Foundation

/// What a process is asked to simulate, by its environment.
struct SimulationRequest: Sendable {
  var seeds = 1...1
  var planted: PlantedFault?
  /// The file for what was found; `nil` if the process was not asked.
  var output: String?
  /// Whether each world's journal is printed.
  var printsJournals = false
  /// The statements of the store that are left out one at a time: those at these places of the list.
  var leftOut: ClosedRange<Int>?

  /// The request of an environment.
  init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    output = environment["SIMULATION_OUTPUT"]
    planted = environment["SIMULATION_FAULT"].flatMap(PlantedFault.init)
    printsJournals = environment["SIMULATION_JOURNALS"] != nil
    if let range = Self.range(environment["SIMULATION_SEEDS"]) { seeds = range }
    leftOut = Self.range(environment["SIMULATION_LEFT_OUT"])
  }

  init(
    seeds: ClosedRange<Int>, planted: PlantedFault? = nil, printsJournals: Bool = false,
    leavingOut leftOut: ClosedRange<Int>? = nil
  ) {
    (self.seeds, self.planted, self.printsJournals) = (seeds, planted, printsJournals)
    self.leftOut = leftOut
  }

  private static func range(_ text: String?) -> ClosedRange<Int>? {
    let bounds = text?.split(separator: "-").compactMap { Int($0) } ?? []
    guard let first = bounds.first, let last = bounds.last, first <= last else { return nil }
    return first...last
  }

  /// The variables that ask for this, for a process that writes to `output`.
  func environment(writingTo output: String) -> [String] {
    // Sets and dictionaries then have the same order in every process.
    var variables = [
      "SWIFT_DETERMINISTIC_HASHING=1", "SIMULATION_OUTPUT=\(output)",
      "SIMULATION_SEEDS=\(seeds.lowerBound)-\(seeds.upperBound)",
    ]
    if let planted { variables.append("SIMULATION_FAULT=\(planted.rawValue)") }
    if printsJournals { variables.append("SIMULATION_JOURNALS=1") }
    if let leftOut {
      variables.append("SIMULATION_LEFT_OUT=\(leftOut.lowerBound)-\(leftOut.upperBound)")
    }
    return variables
  }

  /// Simulates the seeds up to the first one that fails, whose plan is made as short as it fails.
  ///
  /// - Returns: What happened, in lines, and the promises that the failing seed has broken.
  func run() throws -> (lines: [String], broken: [Promise]) {
    var lines: [String] = []
    for seed in seeds {
      let plan = SimulationPlan(seed: UInt64(seed))
      let run = try SimulationRun(plan, planted: planted)
      lines.append("seed \(seed): \(run.summary)")
      if printsJournals { lines += run.journal }
      guard let promise = run.promises.first else { continue }
      let shrunk = try shrink(plan, breaking: promise)
      let last = try SimulationRun(shrunk, planted: planted)
      lines += ["found:"] + run.findings
      lines += ["shrunk to \(shrunk.events.count) of \(plan.events.count) events:"]
      lines += shrunk.lines + ["found:"] + last.findings + ["journal:"] + last.journal
      return (lines, run.promises)
    }
    return (lines, [])
  }

  /// Leaves statements of the store out, one at a time, until a seed breaks a promise.
  ///
  /// - Returns: A line for each statement.
  func runWithoutStatements(_ places: ClosedRange<Int>) throws -> [String] {
    let all = Statements()
    for seed in seeds.prefix(60) {
      _ = try SimulationRun(SimulationPlan(seed: UInt64(seed)), statements: all)
    }
    return try all.seen.sorted().enumerated().filter { places.contains($0.offset) }.map { _, name in
      for seed in seeds {
        let run = try SimulationRun(
          SimulationPlan(seed: UInt64(seed)), statements: Statements(leavingOut: name))
        guard let promise = run.promises.first else { continue }
        return "\(promise.rawValue), seed \(seed): \(name)"
      }
      return "not found: \(name)"
    }
  }

  private func shrink(_ plan: SimulationPlan, breaking promise: Promise) throws -> SimulationPlan {
    plan.shrunk(atMost: 60) { plan in
      (try? SimulationRun(plan, planted: planted))?.promises.contains(promise) ?? false
    }
  }
}

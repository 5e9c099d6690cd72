import Foundation
import TestSupport
import Testing

@Suite("Simulated worlds", .serialized, .timeLimit(.minutes(240)))
struct SimulationTests {
  /// What a process wrote that simulated some seeds.
  private func simulate(_ request: SimulationRequest) async throws -> [String] {
    let folder = TemporaryFolder()
    let output = folder.path("found")
    let run = await runProgram(
      "/usr/bin/env",
      request.environment(writingTo: output) + [
        CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter",
        "SimulationProcessTests",
      ])
    try #require(run.status == 0, "\(run.output)")
    return String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  @Test("keep the promises of the documents through losses, kills and power failures")
  func promises() async throws {
    let lines = try await simulate(SimulationRequest(seeds: 1...Tier.sample(60, of: 2000)))
    let failed = lines.firstIndex { $0.contains(": broken") }
    #expect(failed == nil, "\(lines[(failed ?? 0)...].joined(separator: "\n"))")
    #expect(lines.count == Tier.sample(60, of: 2000))
  }

  @Test("have the same journal each time that a seed is simulated")
  func same() async throws {
    let request = SimulationRequest(seeds: 1...Tier.sample(8, of: 100), printsJournals: true)
    let (one, other) = (try await simulate(request), try await simulate(request))
    #expect(one.count > 500)
    let difference = zip(one, other).first { $0 != $1 }
    #expect(one == other, "\(difference.map { "\($0)\n\($1)" } ?? "one is longer")")
  }

  @Test(
    "find that a statement of the store is left out",
    .enabled(if: Tier.isWhole, "`make verify` runs it"))
  func statements() async throws {
    // The last statement that is found is found by the 38th seed.
    let lines = try await simulate(SimulationRequest(seeds: 1...40, leavingOut: 0...999))
    let missed = lines.filter { $0.hasPrefix("not found: ") }.map { $0.dropFirst(11) }
    let unknown = missed.filter { name in
      !UnseenStatements.beginnings.contains { name.hasPrefix($0) }
    }
    #expect(unknown == [])
    #expect(lines.count - missed.count >= 30, "\(lines.joined(separator: "\n"))")
  }

  @Test("find a planted fault, and shrink its plan to few events", arguments: PlantedFault.allCases)
  func planted(fault: PlantedFault) async throws {
    let lines = try await simulate(SimulationRequest(seeds: 1...300, planted: fault))
    let found = lines.drop { $0 != "found:" }.dropFirst()
    let promise = found.first?.split(separator: ":").first.flatMap { Promise(rawValue: String($0)) }
    #expect(promise.map(fault.broken.contains) ?? false, "\(lines.joined(separator: "\n"))")
  }
}

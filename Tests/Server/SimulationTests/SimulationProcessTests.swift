import Foundation
import TestSupport
import Testing

/// The simulation of worlds in this process, which the tests of ``SimulationTests`` start with an environment that
/// makes it repeat.
@Suite("The process of a simulation", .timeLimit(.minutes(240)))
struct SimulationProcessTests {
  @Test("a world keeps the promises of the documents")
  func run() async throws {
    let request = SimulationRequest()
    let (lines, broken) = try await onOneThread { () -> ([String], [Promise]) in
      if let places = request.leftOut { return (try request.runWithoutStatements(places), []) }
      return try request.run()
    }
    guard let output = request.output else {
      return #expect(broken == [], "\(lines.joined(separator: "\n"))")
    }
    try Data((lines + [""]).joined(separator: "\n").utf8).write(to: URL(filePath: output))
  }
}

/// Runs a body on a thread of its own.
func onOneThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Result { try body() }) }
    thread.stackSize = 64 << 20
    thread.start()
  }
}

import Foundation

/// What MartletKit costs the app that links it.
struct AppBenchmark {
  private let setup: BenchmarkSetup

  init(_ setup: BenchmarkSetup) { self.setup = setup }

  func run() throws -> [Row] {
    let client = try setup.client("app", setup.path("apps"))
    func numbers(_ count: Int) throws -> [Double] {
      let numbers = try client.readLine().split(separator: " ").compactMap { Double($0) }
      guard numbers.count == count else {
        throw Child.Failure(description: "app printed no numbers")
      }
      return numbers
    }
    let start = try numbers(3)
    let changes = try numbers(2)
    let before = client.anonymousMemory
    try client.writeLine("start")
    _ = try client.readLine()
    let memory = client.anonymousMemory - before
    _ = try client.finish()
    return [
      Row(
        name: "MartletKit starts, without a network, median", ours: fixed(start[0], 2) + " ms",
        bound: "under 5 ms", holds: start[0] < 5),
      Row(name: "  p99", ours: fixed(start[1], 2) + " ms"),
      Row(
        name: "  files that it wrote before", ours: fixed(start[2], 0), bound: "0",
        holds: start[2] == 0),
      Row(
        name: "  requests for 1,000 tags within a second", ours: fixed(changes[0], 0), bound: "1",
        holds: changes[0] == 1),
      Row(name: "  a tag, on disk when the call returns", ours: fixed(changes[1], 0) + " µs"),
      Row(
        name: "  memory at rest over the process", ours: megabytes(Double(memory)),
        bound: "under 1 MB", holds: memory < 1_000_000),
    ] + (try size())
  }

  /// The size of a program with the library over that of one without.
  private func size() throws -> [Row] {
    let programs = URL(filePath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
    func bytes(_ name: String) throws -> Double {
      // Sections that are loaded: without symbols and debug information.
      let lines = try Child(["size", programs.appending(path: name).path]).finish().output
        .split(separator: "\n")
      let numbers = lines.last?.split { " \t".contains($0) }.prefix(2).compactMap { Double($0) }
      guard let numbers, numbers.count == 2 else {
        throw Child.Failure(description: "size printed no numbers")
      }
      return numbers[0] + numbers[1]
    }
    let core = try bytes("bench-app") - bytes("bench-empty")
    return [
      Row(
        name: "  linked size, with PushPayload", ours: megabytes(core), bound: "under 1.5 MB",
        holds: core < 1_500_000)
    ]
  }
}

import Foundation

/// Triggered campaigns: events beside fifty triggers, and a million people who wait.
struct EnrollmentBenchmark {
  private let setup: BenchmarkSetup

  init(_ setup: BenchmarkSetup) { self.setup = setup }

  func run() throws -> [Row] {
    let cluster = try BenchCluster()
    let rows =
      try rows(of: "SQLite", setup.path("enrollments.sqlite"))
      + rows(of: "PostgreSQL", cluster.url)
    try cluster.stop()
    return rows
  }

  private func rows(of name: String, _ database: String) throws -> [Row] {
    let client = try setup.client("enrollments", database)
    let numbers = try client.readLine().split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 5 else {
      throw Child.Failure(description: "enrollments printed no numbers")
    }
    _ = try client.finish()
    let ratio = numbers[1] / numbers[0]
    return [
      Row(name: "\(name): events a second without triggers", ours: fixed(1 / numbers[0], 0)),
      Row(
        name: "  time of an event with 50 triggers, one in ten enrolls (peer: without)",
        ours: fixed(numbers[1] * 1e6, 1) + " µs", peer: fixed(numbers[0] * 1e6, 1) + " µs",
        ratio: fixed(ratio, 2), bound: "at most 1.2", holds: ratio <= 1.2),
      Row(
        name: "  a million waiting enrollments on disk", ours: megabytes(numbers[2]),
        bound: "under 200 MB", holds: numbers[2] < 200_000_000),
      Row(
        name: "  a look at a campaign of which nobody is due", ours: fixed(numbers[3], 2) + " ms",
        bound: "under 10 ms", holds: numbers[3] < 10),
      Row(
        name: "  a thousand of them that are due, leased and read",
        ours: fixed(numbers[4], 2) + " ms", bound: "under 10 ms", holds: numbers[4] < 10),
    ]
  }
}

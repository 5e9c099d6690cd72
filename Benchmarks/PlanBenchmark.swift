import Foundation

/// The cost of planning a payload, and the resources that are not released after a thousand notifications.
struct PlanBenchmark {
  private let setup: BenchmarkSetup

  init(_ setup: BenchmarkSetup) { self.setup = setup }

  func run() throws -> [Row] {
    let client = try setup.client("plan", "Tests/Fixtures/dialects")
    var rows: [Row] = []
    // Each line has a name, our time and the peer's time in microseconds.
    for name in ["median", "slowest"] {
      let numbers = try client.readLine().split(separator: " ").compactMap { Double($0) }
      guard numbers.count == 2 else { throw Child.Failure(description: "plan printed no numbers") }
      var row = Row.comparison(
        "4 KB payload planned, \(name) dialect (peer: decoding it)", ours: numbers[0],
        peer: numbers[1]
      ) { fixed($0, 1) + " µs" }
      row.bound = "at most 50 µs"
      row.holds = numbers[0] <= 50
      rows.append(row)
    }
    _ = try client.finish()
    return try rows + templates() + thousand()
  }

  private func templates() throws -> [Row] {
    let client = try setup.client("template", "Tests/Fixtures/templates")
    let numbers = try client.readLine().split(separator: " ").compactMap { Double($0) }
    let layouts = try client.readLine().split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 2, layouts.count == 2 else {
      throw Child.Failure(description: "template printed no numbers")
    }
    _ = try client.finish()
    let drawer = try setup.client("card", "Tests/Fixtures/media")
    let cards = try drawer.readLine().split(separator: " ").compactMap { Double($0) }
    guard cards.count == 2 else { throw Child.Failure(description: "card printed no numbers") }
    _ = try drawer.finish()
    var row = Row.comparison(
      "4 KB payload to template, median (peer: decoding it)", ours: numbers[0], peer: numbers[1]
    ) { fixed($0, 1) + " µs" }
    row.bound = "at most 30 µs"
    row.holds = numbers[0] <= 30
    return [
      row,
      Row(
        name: "  laid out, median", ours: fixed(layouts[0], 1) + " µs", bound: "at most 200 µs",
        holds: layouts[0] <= 200),
      Row(name: "  laid out, slowest", ours: fixed(layouts[1], 1) + " µs"),
      Row(
        name: "  a preview card of five pages, p99", ours: fixed(cards[1], 2) + " ms",
        bound: "under 40 ms", holds: cards[1] < 40),
      Row(name: "    median", ours: fixed(cards[0], 2) + " ms"),
    ]
  }

  /// Measured after a hundred notifications, because the first ones allocate what is kept.
  private func thousand() throws -> [Row] {
    let client = try setup.client("thousand", setup.path("thousand"))
    let numbers = try client.readLine().split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 4 else { throw Child.Failure(description: "it printed no numbers") }
    _ = try client.finish()
    return [
      Row(
        name: "1,000 notifications leave descriptors, files", ours: "\(numbers[0]), \(numbers[1])",
        bound: "0, 0", holds: numbers[0] == 0 && numbers[1] == 0),
      Row(
        name: "  memory", ours: megabytes(Double(numbers[2])), bound: "at most 1 MB",
        holds: numbers[2] <= 1_000_000),
      Row(name: "  time for each", ours: "\(numbers[3]) µs"),
    ]
  }
}

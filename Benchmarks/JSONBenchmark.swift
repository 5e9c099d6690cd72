/// The cost of parsing what clients send to the server, compared with simdjson and Foundation.
struct JSONBenchmark {
  private let setup: BenchmarkSetup

  init(_ setup: BenchmarkSetup) { self.setup = setup }

  func run() throws -> [Row] {
    let client = try setup.client("json")
    var rows: [Row] = []
    // Each line has the processor time of each reader for one document, in microseconds.
    for sample in JSONSample.all {
      let times = try client.readLine().split(separator: " ").compactMap { Double($0) }
      guard times.count == JSONReader.allCases.count else {
        throw Child.Failure(description: "json printed no numbers")
      }
      let rates = times.map { Double(sample.bytes.count) / $0 }
      func row(_ name: String, _ reader: JSONReader) -> Row {
        .comparison(name, ours: rates[0], peer: rates[reader.rawValue]) { fixed($0, 0) + " MB/s" }
      }
      rows.append(row("\(sample.name) (peer: simdjson, same values)", .simdjson))
      rows.append(row("  peer: simdjson, its own form alone", .tape))
      rows.append(row("  peer: JSONDecoder, same values", .foundation))
      rows.append(
        .comparison("  CPU (peer: simdjson, same values)", ours: times[0], peer: times[1]) {
          fixed($0, $0 < 100 ? 2 : 0) + " µs"
        })
    }
    _ = try client.finish()
    return rows
  }
}

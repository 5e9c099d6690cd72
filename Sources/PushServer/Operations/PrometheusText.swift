/// Numbers in Prometheus's text format, version 0.0.4.
struct PrometheusText: Sendable {
  static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  enum Kind: String { case counter, gauge, histogram }

  private(set) var text = ""

  /// Begins a family; its samples follow.
  mutating func family(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  mutating func sample(
    _ name: String, _ value: Int, _ labels: KeyValuePairs<String, String> = [:]
  ) {
    line(name, labels.map { ($0.key, $0.value) }, String(value))
  }

  mutating func sample(
    _ name: String, _ value: Double, _ labels: KeyValuePairs<String, String> = [:]
  ) {
    line(name, labels.map { ($0.key, $0.value) }, String(value))
  }

  /// The samples of one histogram.
  mutating func histogram(
    _ name: String, _ histogram: Histogram, _ labels: KeyValuePairs<String, String> = [:]
  ) {
    let labels = labels.map { ($0.key, $0.value) }
    var sum = 0
    for (bound, count) in zip(histogram.bounds, histogram.counts) {
      sum += count
      line("\(name)_bucket", labels + [("le", String(bound))], String(sum))
    }
    line("\(name)_bucket", labels + [("le", "+Inf")], String(histogram.count))
    line("\(name)_sum", labels, String(histogram.sum))
    line("\(name)_count", labels, String(histogram.count))
  }

  private mutating func line(_ name: String, _ labels: [(String, String)], _ value: String) {
    text += name
    if !labels.isEmpty {
      text += "{"
      text += labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
      text += "}"
    }
    text += " \(value)\n"
  }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}

/// How long things took, by bounds in seconds.
struct Histogram: Hashable, Sendable {
  /// From a millisecond to a minute.
  static let seconds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
  ]

  let bounds: [Double]
  /// One for each bound, what is at or below it and above the one before; one more for the rest.
  private(set) var counts: [Int]
  private(set) var sum = 0.0

  var count: Int { counts.reduce(0, +) }

  init(bounds: [Double] = Self.seconds) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  /// One made elsewhere.
  init(bounds: [Double], counts: [Int], sum: Double) {
    self.bounds = bounds
    self.counts = counts
    self.sum = sum
  }

  mutating func add(_ duration: Duration) {
    let seconds = duration / .seconds(1)
    counts[bounds.firstIndex { seconds <= $0 } ?? bounds.count] += 1
    sum += seconds
  }
}

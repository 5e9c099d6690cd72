/// Metrics in Prometheus's text exposition format, version 0.0.4.
struct PrometheusText: Sendable {
  static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  enum Kind: String { case counter, gauge, histogram }

  private(set) var text = ""

  /// Begins a metric family, whose samples follow.
  mutating func family(_ name: String, _ kind: Kind, help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  mutating func sample(
    _ name: String, _ value: Int, labels: KeyValuePairs<String, String> = [:]
  ) {
    line(name, labels: labels.map { ($0.key, $0.value) }, value: String(value))
  }

  mutating func sample(
    _ name: String, _ value: Double, labels: KeyValuePairs<String, String> = [:]
  ) {
    line(name, labels: labels.map { ($0.key, $0.value) }, value: String(value))
  }

  /// Writes the samples of one histogram.
  mutating func histogram(
    _ name: String, _ histogram: Histogram, labels: KeyValuePairs<String, String> = [:]
  ) {
    let labels = labels.map { ($0.key, $0.value) }
    var sum = 0
    for (bound, count) in zip(histogram.bounds, histogram.counts) {
      sum += count
      line("\(name)_bucket", labels: labels + [("le", String(bound))], value: String(sum))
    }
    line("\(name)_bucket", labels: labels + [("le", "+Inf")], value: String(histogram.count))
    line("\(name)_sum", labels: labels, value: String(histogram.sum))
    line("\(name)_count", labels: labels, value: String(histogram.count))
  }

  private mutating func line(_ name: String, labels: [(String, String)], value: String) {
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

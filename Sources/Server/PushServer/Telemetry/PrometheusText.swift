/// Metrics in Prometheus's text exposition format, version 0.0.4.
struct PrometheusText: Sendable {
  static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  enum Kind: String { case counter, gauge, histogram }

  typealias Labels = KeyValuePairs<String, String>

  private(set) var bytes: [UInt8] = []

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Begins a metric family, whose samples follow.
  mutating func family(_ name: String, _ kind: Kind, help: String) {
    append("# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n")
  }

  mutating func sample(_ name: String, _ value: Int, labels: Labels = [:]) {
    line(name, labels: labels, value: String(value))
  }

  mutating func sample(_ name: String, _ value: Double, labels: Labels = [:]) {
    line(name, labels: labels, value: String(value))
  }

  /// Writes a family that has one sample without labels.
  mutating func single(_ name: String, _ kind: Kind, help: String, value: Double) {
    family(name, kind, help: help)
    sample(name, value)
  }

  /// Writes the samples of one histogram.
  mutating func histogram(_ name: String, _ histogram: Histogram, labels: Labels = [:]) {
    var sum = 0
    for (bound, count) in zip(histogram.bounds, histogram.counts) {
      sum += count
      line(name, suffix: "_bucket", labels: labels, bound: String(bound), value: String(sum))
    }
    line(
      name, suffix: "_bucket", labels: labels, bound: "+Inf", value: String(histogram.count))
    line(name, suffix: "_sum", labels: labels, value: String(histogram.sum))
    line(name, suffix: "_count", labels: labels, value: String(histogram.count))
  }

  private mutating func line(
    _ name: String, suffix: String = "", labels: Labels, bound: String? = nil, value: String
  ) {
    append(name)
    append(suffix)
    var separator = UInt8(ascii: "{")
    for (label, text) in labels {
      append(label, text, after: separator)
      separator = UInt8(ascii: ",")
    }
    if let bound {
      append("le", bound, after: separator)
      separator = UInt8(ascii: ",")
    }
    if separator == UInt8(ascii: ",") { bytes.append(UInt8(ascii: "}")) }
    bytes.append(UInt8(ascii: " "))
    append(value)
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func append(_ label: String, _ value: String, after separator: UInt8) {
    bytes.append(separator)
    append(label)
    bytes.append(UInt8(ascii: "="))
    bytes.append(UInt8(ascii: "\""))
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: "\""): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func append(_ text: String) { bytes += text.utf8 }
}

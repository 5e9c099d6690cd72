/// The spellings of durations, rates and sizes that options take.
package enum Units {
  /// `200ms`, `2s`, `5m`, `1h`; a bare number is seconds.
  package static func duration(_ text: String) -> Duration? {
    let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("", 1)]
    return scaled(text, by: units).map { .seconds($0) }
  }

  /// Bytes: `24MiB`, `500KB`, `4096`.
  package static func size(_ text: String) -> Int? {
    let units: [(String, Double)] = [
      ("KiB", 1024), ("MiB", 1_048_576), ("GiB", 1_073_741_824), ("KB", 1000), ("MB", 1_000_000),
      ("GB", 1_000_000_000), ("B", 1), ("", 1),
    ]
    return scaled(text, by: units).flatMap { Int(exactly: $0.rounded()) }
  }

  /// Bytes a second: `500KB/s`.
  package static func rate(_ text: String) -> Int? {
    text.hasSuffix("/s") ? size(String(text.dropLast(2))) : nil
  }

  private static func scaled(_ text: String, by units: [(String, Double)]) -> Double? {
    for (suffix, factor) in units where text.hasSuffix(suffix) {
      let number = text.dropLast(suffix.count)
      if let value = Double(number), value >= 0, value.isFinite, (value * factor) < 1e15 {
        return value * factor
      }
    }
    return nil
  }
}

extension Arguments {
  package func duration(_ name: String) throws -> Duration? {
    try unit(name, "a duration such as 200ms, 2s or 5m", Units.duration)
  }

  package func size(_ name: String) throws -> Int? {
    try unit(name, "a size such as 24MiB or 500KB", Units.size)
  }

  package func rate(_ name: String) throws -> Int? {
    try unit(name, "a rate such as 500KB/s", Units.rate)
  }

  /// `HOST:PORT`; an IPv6 host stands in brackets.
  package func address(_ name: String, default text: String) throws -> (host: String, port: UInt16)
  {
    let value = value(name) ?? text
    guard let colon = value.lastIndex(of: ":"),
      let port = UInt16(value[value.index(after: colon)...]),
      colon != value.startIndex
    else { throw UsageError("\(name) takes HOST:PORT, not \"\(value)\"") }
    let host = value[..<colon].trimmingPrefix("[")
    return (String(host.hasSuffix("]") ? host.dropLast() : host), port)
  }

  private func unit<T>(_ name: String, _ what: String, _ parse: (String) -> T?) throws -> T? {
    guard let text = value(name) else { return nil }
    guard let parsed = parse(text) else {
      throw UsageError("\(name) takes \(what), not \"\(text)\"")
    }
    return parsed
  }
}

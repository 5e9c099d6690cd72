/// The forms of durations, rates and sizes in options.
package enum Units {
  /// A duration such as `200ms`, `2s`, `5m`, `1h` or `90d`; a bare number is in seconds.
  package static func duration(_ text: String) -> Duration? {
    let units: [(String, Double)] = [
      ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400), ("", 1),
    ]
    return scaled(text, by: units).map { .seconds($0) }
  }

  /// A number of bytes, such as `24MiB`, `500KB` or `4096`.
  package static func size(_ text: String) -> Int? {
    let units: [(String, Double)] = [
      ("KiB", 1024), ("MiB", 1_048_576), ("GiB", 1_073_741_824), ("KB", 1000), ("MB", 1_000_000),
      ("GB", 1_000_000_000), ("B", 1), ("", 1),
    ]
    return scaled(text, by: units).flatMap { Int(exactly: $0.rounded()) }
  }

  /// A number of bytes per second, such as `500KB/s`.
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

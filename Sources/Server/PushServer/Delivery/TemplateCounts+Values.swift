import PushModel

extension TemplateCounts {
  /// The values, the most frequent first.
  var valuesByCount: [(value: String, count: Int)] {
    values.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }
}

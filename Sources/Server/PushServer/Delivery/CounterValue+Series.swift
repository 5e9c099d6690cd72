import PushModel

extension CounterValue {
  private static let longestSpan = Duration.seconds(366 * 86_400)

  /// Returns one value for each hour or day of a span, or 0 if nothing was counted.
  ///
  /// `width` is the length of an hour or a day, in milliseconds.
  ///
  /// - Throws: ``RequestError`` `.invalid` if the span is longer than 366 days.
  static func series(
    of counter: Counter, app: String, in span: ClosedRange<Timestamp>, every width: Int64,
    _ store: any PushStore
  ) async throws -> [CounterValue] {
    guard span.upperBound.since(span.lowerBound) <= longestSpan else {
      throw RequestError(.invalid, "from and to must be no more than 366 days apart")
    }
    let first = span.lowerBound.floored(to: width)
    let found = try await store.counts(of: counter, app: app, from: first, to: span.upperBound)
    let counts = Dictionary(
      found.map { ($0.time.floored(to: width), $0.count) }, uniquingKeysWith: +)
    let times = stride(
      from: first.milliseconds, through: span.upperBound.milliseconds, by: Int64.Stride(width))
    return times.map { milliseconds in
      let time = Timestamp(milliseconds: milliseconds)
      return CounterValue(time: time, count: counts[time] ?? 0)
    }
  }
}

extension Timestamp {
  /// The start of the hour or the day; `width` is the length of either, in milliseconds.
  func floored(to width: Int64) -> Timestamp {
    let remainder = milliseconds % width
    return Timestamp(milliseconds: milliseconds - (remainder < 0 ? remainder + width : remainder))
  }
}

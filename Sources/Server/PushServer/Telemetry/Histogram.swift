/// A histogram of durations, with bounds in seconds.
struct Histogram: Hashable, Sendable {
  /// The default bounds, from 1 ms to 60 s.
  static let seconds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
  ]

  let bounds: [Double]
  /// The number of durations up to each bound and above the previous one; the last count is of
  /// those above all bounds.
  private(set) var counts: [Int]
  private(set) var sum = 0.0

  var count: Int { counts.reduce(0, +) }

  init(bounds: [Double] = Self.seconds) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  /// Makes a histogram from existing counts.
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

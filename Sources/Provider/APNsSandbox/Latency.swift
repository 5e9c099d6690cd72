import Glibc

/// The distribution of the delays of answers.
///
/// Delays are at most ``longest``.
public struct Latency: Hashable, Sendable {
  /// The longest delay: a day.
  public static let longest = Duration.seconds(86_400)
  /// No delay.
  public static let none = Latency.fixed(.zero)

  /// A percentile of the distribution.
  struct Percentile: Hashable, Sendable {
    /// More than 0 and less than 100.
    var percent: Double
    var seconds: Double
    /// The standard score (z-score) of the percentile in the normal distribution.
    var score: Double
  }

  private enum Kind: Hashable, Sendable {
    case fixed(Duration)
    case evenly(ClosedRange<Duration>)
    /// At least two percentiles in ascending order.
    case percentiles([Percentile])
  }
  private let kind: Kind

  /// The same delay for every answer.
  ///
  /// - Parameter wait: The delay; a negative one is 0.
  /// - Returns: The latency.
  public static func fixed(_ wait: Duration) -> Latency {
    Latency(kind: .fixed(clamped(wait)))
  }

  /// The uniform distribution over a range.
  ///
  /// - Parameter range: From the shortest to the longest delay.
  /// - Returns: The latency.
  public static func evenly(_ range: ClosedRange<Duration>) -> Latency {
    let range = clamped(range.lowerBound)...clamped(range.upperBound)
    return Latency(kind: .evenly(range))
  }

  /// The distribution with given percentiles, as monitoring reports them.
  ///
  /// Two percentiles define a log-normal distribution, which latencies on a network resemble. With more, each interval
  /// between two continues the curve of those two, and so do the ends.
  ///
  /// - Parameter waits: The longest delay of that many percent: `[50: .milliseconds(20), 99: .milliseconds(300)]`.
  /// - Returns: The latency; `nil` with fewer than 2 or more than 100 percentiles, a percentage that is not between 0
  ///   and 100, a delay that is not above 0, or one that is below that of a smaller percentage.
  public static func percentiles(_ waits: [Double: Duration]) -> Latency? {
    guard 2...100 ~= waits.count, waits.keys.allSatisfy({ $0 > 0 && $0 < 100 }),
      waits.values.allSatisfy({ $0 > .zero && $0 <= longest })
    else { return nil }
    let points = waits.sorted { $0.key < $1.key }.map { percent, wait in
      Percentile(percent: percent, seconds: wait / .seconds(1), score: score(of: percent / 100))
    }
    for (one, next) in zip(points, points.dropFirst())
    where next.seconds < one.seconds || next.score <= one.score { return nil }
    return Latency(kind: .percentiles(points))
  }

  /// Draws a delay.
  ///
  /// - Parameter random: The generator; the same numbers give the same delays.
  /// - Returns: The delay.
  public func next(using random: inout some RandomNumberGenerator) -> Duration {
    switch kind {
    case .fixed(let wait): return wait
    case .evenly(let range):
      let spread = (range.upperBound - range.lowerBound) / .seconds(1)
      return range.lowerBound + .seconds(spread * Double.random(in: 0...1, using: &random))
    case .percentiles(let points):
      return Self.clamped(seconds: exp(Self.logarithm(at: Self.normal(using: &random), points)))
    }
  }

  /// The delay that no answer, or nearly none, exceeds.
  var bound: Duration {
    switch kind {
    case .fixed(let wait): wait
    case .evenly(let range): range.upperBound
    // Four standard deviations: one of 30,000 delays is longer.
    case .percentiles(let points): Self.clamped(seconds: exp(Self.logarithm(at: 4, points)))
    }
  }

  /// The logarithm of the delay in seconds at a standard score.
  private static func logarithm(at score: Double, _ points: [Percentile]) -> Double {
    let index = points.dropFirst().firstIndex { score < $0.score } ?? points.count - 1
    let (one, next) = (points[index - 1], points[index])
    let slope = (log(next.seconds) - log(one.seconds)) / (next.score - one.score)
    return log(one.seconds) + slope * (score - one.score)
  }

  /// A number of the standard normal distribution (Box and Muller, 1958).
  private static func normal(using random: inout some RandomNumberGenerator) -> Double {
    // The range excludes 0, which has no logarithm.
    let radius = Double.random(in: 0.5.ulp...1, using: &random)
    return (-2 * log(radius)).squareRoot() * cos(2 * .pi * Double.random(in: 0...1, using: &random))
  }

  /// The standard score of a percentile, found by bisection of the normal distribution.
  private static func score(of share: Double) -> Double {
    var (low, high) = (-9.0, 9.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if erfc(-middle / 2.0.squareRoot()) / 2 < share { low = middle } else { high = middle }
    }
    return low
  }

  private static func clamped(_ wait: Duration) -> Duration { min(max(wait, .zero), longest) }

  private static func clamped(seconds: Double) -> Duration {
    seconds < 86_400 ? .seconds(seconds) : longest
  }
}

import Glibc

/// How long answers wait: the same time each, or another each time.
///
/// What is drawn is at most ``longest``, which is what a delay that is written down may be at most, too.
public struct Latency: Hashable, Sendable {
  /// A day.
  public static let longest = Duration.seconds(86_400)
  /// No wait.
  public static let none = Latency.fixed(.zero)

  /// A share of all answers, and the time that none of them waits longer than.
  struct Percentile: Hashable, Sendable {
    /// More than 0 and less than 100.
    var percent: Double
    var seconds: Double
    /// The share as a place on the normal distribution.
    var score: Double
  }

  private enum Kind: Hashable, Sendable {
    case fixed(Duration)
    case evenly(ClosedRange<Duration>)
    /// At least two, ascending.
    case percentiles([Percentile])
  }
  private let kind: Kind

  /// Every answer waits as long.
  ///
  /// - Parameter wait: How long; a negative time is none.
  /// - Returns: The latency.
  public static func fixed(_ wait: Duration) -> Latency {
    Latency(kind: .fixed(clamped(wait)))
  }

  /// Each time of a range is as likely.
  ///
  /// - Parameter range: From the shortest to the longest wait.
  /// - Returns: The latency.
  public static func evenly(_ range: ClosedRange<Duration>) -> Latency {
    let range = clamped(range.lowerBound)...clamped(range.upperBound)
    return Latency(kind: .evenly(range))
  }

  /// So many percent of all answers wait at most so long, as a monitor shows it.
  ///
  /// Two of them are a log-normal distribution, which waits on a network resemble; between more, and beyond
  /// the outermost, the curve goes on as between the nearest two.
  ///
  /// - Parameter waits: The longest wait of that many percent: `[50: .milliseconds(20), 99: .milliseconds(300)]`.
  /// - Returns: The latency; `nil` with fewer than two or more than 100, a share that does not lie between
  ///   0 and 100, a wait that is not more than nothing, or one that is shorter than that of a smaller share.
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

  /// Draws a wait.
  ///
  /// - Parameter random: Where chance comes from; the same numbers give the same waits.
  /// - Returns: The wait.
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

  /// The longest wait that is to be reckoned with.
  var bound: Duration {
    switch kind {
    case .fixed(let wait): wait
    case .evenly(let range): range.upperBound
    // Four standard deviations: one of 30,000 waits longer.
    case .percentiles(let points): Self.clamped(seconds: exp(Self.logarithm(at: 4, points)))
    }
  }

  /// What a wait's logarithm is at a place on the normal distribution.
  private static func logarithm(at score: Double, _ points: [Percentile]) -> Double {
    let index = points.dropFirst().firstIndex { score < $0.score } ?? points.count - 1
    let (one, next) = (points[index - 1], points[index])
    let slope = (log(next.seconds) - log(one.seconds)) / (next.score - one.score)
    return log(one.seconds) + slope * (score - one.score)
  }

  /// A number of the standard normal distribution (Box and Muller, 1958).
  private static func normal(using random: inout some RandomNumberGenerator) -> Double {
    // The first is not 0, whose logarithm is none.
    let radius = Double.random(in: 0.5.ulp...1, using: &random)
    return (-2 * log(radius)).squareRoot() * cos(2 * .pi * Double.random(in: 0...1, using: &random))
  }

  /// Below which number lies that share of the standard normal distribution, found by halving.
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

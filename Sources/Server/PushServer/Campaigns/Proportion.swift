import Foundation
import PushModel

/// A number of successes among a number of trials, and the statistics of the rate behind it.
///
/// Sources: R. G. Newcombe, "Two-sided confidence intervals for the single proportion" and "Interval
/// estimation for the difference between independent proportions", Statistics in Medicine 17 (1998);
/// J. L. Fleiss, "Statistical Methods for Rates and Proportions" (1981); S. Holm, "A simple
/// sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979).
struct Proportion: Hashable, Sendable {
  var successes: Int
  var trials: Int

  /// The two-sided 95 % point of the normal distribution.
  static let z = 1.959963984540054

  /// The devices that opened a notification among those for which APNs accepted it.
  ///
  /// If APNs accepted a push and its answer was lost, a device that `sent` does not count may open it.
  init(opened counts: Send.Counts) {
    self.init(successes: min(counts.opened, counts.sent), trials: counts.sent)
  }

  init(successes: Int, trials: Int) { (self.successes, self.trials) = (successes, trials) }

  /// The successes divided by the trials; 0 if there are no trials.
  var rate: Double { trials == 0 ? 0 : Double(successes) / Double(trials) }

  /// Wilson's score interval at 95 %; all rates if there are no trials.
  var interval: ClosedRange<Double> {
    guard trials > 0 else { return 0...1 }
    let (n, p, z) = (Double(trials), rate, Self.z)
    let center = p + z * z / (2 * n)
    let half = z * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
    let scale = 1 + z * z / n
    return max(0, (center - half) / scale)...min(1, (center + half) / scale)
  }

  /// The difference from another rate, with Newcombe's 95 % interval (his method 10).
  func difference(from other: Proportion) -> (value: Double, interval: ClosedRange<Double>) {
    let (own, others) = (interval, other.interval)
    let value = rate - other.rate
    func root(_ one: Double, _ two: Double) -> Double { (one * one + two * two).squareRoot() }
    let low = value - root(rate - own.lowerBound, others.upperBound - other.rate)
    let high = value + root(own.upperBound - rate, other.rate - others.lowerBound)
    return (value, max(-1, low)...min(1, high))
  }

  /// The p-value of the difference from another rate: the pooled two-proportion z test, two-sided.
  func pValue(against other: Proportion) -> Double {
    guard trials > 0, other.trials > 0 else { return 1 }
    let (n, m) = (Double(trials), Double(other.trials))
    let pooled = Double(successes + other.successes) / (n + m)
    let variance = pooled * (1 - pooled) * (1 / n + 1 / m)
    guard variance > 0 else { return 1 }
    return erfc(abs(rate - other.rate) / (2 * variance).squareRoot())
  }

  /// Pearson's χ² test that several rates are equal, with its p-value.
  static func chiSquare(_ all: [Proportion]) -> (value: Double, pValue: Double) {
    let known = all.filter { $0.trials > 0 }
    let trials = Double(known.reduce(0) { $0 + $1.trials })
    let successes = Double(known.reduce(0) { $0 + $1.successes })
    guard known.count > 1, successes > 0, successes < trials else { return (0, 1) }
    let pooled = successes / trials
    let value = known.reduce(0.0) { sum, one in
      let (n, difference) = (Double(one.trials), one.rate - pooled)
      return sum + n * difference * difference / (pooled * (1 - pooled))
    }
    return (value, chiSquareTail(value, degrees: known.count - 1))
  }

  /// Pearson's χ² test of counts against their expected shares, with its p-value.
  static func chiSquare(
    counts: [Int], shares: [Int]
  ) -> (value: Double, pValue: Double) {
    let (total, whole) = (Double(counts.reduce(0, +)), Double(shares.reduce(0, +)))
    guard counts.count == shares.count, counts.count > 1, total > 0, whole > 0 else {
      return (0, 1)
    }
    let value = zip(counts, shares).reduce(0.0) { sum, pair in
      let expected = total * Double(pair.1) / whole
      guard expected > 0 else { return sum }
      let difference = Double(pair.0) - expected
      return sum + difference * difference / expected
    }
    return (value, chiSquareTail(value, degrees: counts.count - 1))
  }

  /// The probability that χ² is at least a value: the upper incomplete gamma function at half the degrees,
  /// summed from its first term.
  static func chiSquareTail(_ value: Double, degrees: Int) -> Double {
    guard value > 0, degrees > 0 else { return 1 }
    let half = value / 2
    let isOdd = degrees % 2 == 1
    var sum = isOdd ? erfc(half.squareRoot()) : exp(-half)
    var term = isOdd ? 2 * (half / Double.pi).squareRoot() * exp(-half) : exp(-half) * half
    var next = isOdd ? 1 : 2
    while next < degrees {
      sum += term
      next += 2
      term *= half / (Double(next) / 2)
    }
    return min(1, sum)
  }

  /// The p-values of several tests with Holm's correction for their number.
  static func corrected(_ values: [Double]) -> [Double] {
    var corrected = values
    var highest = 0.0
    for (place, index) in values.indices.sorted(by: { values[$0] < values[$1] }).enumerated() {
      highest = max(highest, min(1, values[index] * Double(values.count - place)))
      corrected[index] = highest
    }
    return corrected
  }
}

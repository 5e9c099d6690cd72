import Testing

@testable import PushServer

@Suite("Rates, their intervals and differences")
struct ProportionTests {
  /// R. G. Newcombe, "Two-sided confidence intervals for the single proportion: comparison of seven
  /// methods", Statistics in Medicine 17 (1998), table I: the score method without a correction.
  @Test(
    "Wilson's intervals are those of Newcombe's table",
    arguments: [
      (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611),
      (1, 29, 0.0061, 0.1718),
    ])
  func wilson(successes: Int, trials: Int, low: Double, high: Double) {
    let interval = Proportion(successes: successes, trials: trials).interval
    #expect(abs(interval.lowerBound - low) < 0.00005)
    #expect(abs(interval.upperBound - high) < 0.00005)
  }

  /// R. G. Newcombe, "Interval estimation for the difference between independent proportions:
  /// comparison of eleven methods", Statistics in Medicine 17 (1998), table II: method 10.
  @Test(
    "the intervals of differences are those of Newcombe's table",
    arguments: [
      ([56, 70, 48, 80], 0.0524, 0.3339), ([9, 10, 3, 10], 0.1705, 0.8090),
      ([6, 7, 2, 7], 0.0582, 0.8062), ([5, 56, 0, 29], -0.0381, 0.1926),
      ([0, 10, 0, 20], -0.1611, 0.2775), ([0, 10, 0, 10], -0.2775, 0.2775),
      ([10, 10, 0, 20], 0.6791, 1), ([10, 10, 0, 10], 0.6075, 1),
    ])
  func newcombe(counts: [Int], low: Double, high: Double) {
    let one = Proportion(successes: counts[0], trials: counts[1])
    let other = Proportion(successes: counts[2], trials: counts[3])
    let interval = one.difference(from: other).interval
    #expect(abs(interval.lowerBound - low) < 0.00005)
    #expect(abs(interval.upperBound - high) < 0.00005)
  }

  /// NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4, upper critical values of χ².
  @Test(
    "the tail of χ² is that of NIST's table of critical values",
    arguments: [
      (1, 0.05, 3.841), (2, 0.05, 5.991), (3, 0.05, 7.815), (4, 0.05, 9.488), (10, 0.05, 18.307),
      (1, 0.001, 10.828), (3, 0.001, 16.266), (10, 0.001, 29.588),
    ])
  func chiSquare(degrees: Int, probability: Double, value: Double) {
    let tail = Proportion.chiSquareTail(value, degrees: degrees)
    #expect(abs(tail - probability) < probability / 1000)
  }

  /// Smokers among patients of four groups: J. L. Fleiss, "Statistical Methods for Rates and
  /// Proportions" (1981), page 139, for which R's documentation of `prop.test` prints
  /// "X-squared = 12.6, df = 3, p-value = 0.005585".
  @Test("χ² of several rates is that of Fleiss's example")
  func fleiss() {
    let groups = zip([83, 90, 129, 70], [86, 93, 136, 82]).map {
      Proportion(successes: $0, trials: $1)
    }
    let test = Proportion.chiSquare(groups)
    #expect(abs(test.value - 12.6) < 0.05)
    #expect(abs(test.pValue - 0.005585) < 0.0000005)
  }

  @Test("of two rates, the z test is the χ² test, since z² is χ² with one degree of freedom")
  func twoRates() {
    let (one, other) = (
      Proportion(successes: 130, trials: 1000), Proportion(successes: 100, trials: 1000)
    )
    let chi = Proportion.chiSquare([one, other]).pValue
    #expect(abs(one.pValue(against: other) - chi) < 1e-12)
    #expect(chi > 0.03 && chi < 0.04)
  }

  @Test("without trials, or where all or none succeed, nothing is told apart")
  func nothing() {
    let (none, all) = (Proportion(successes: 0, trials: 0), Proportion(successes: 9, trials: 9))
    #expect(none.rate == 0 && none.interval == 0...1)
    #expect(none.pValue(against: all) == 1 && all.pValue(against: all) == 1)
    #expect(Proportion.chiSquare([none, all]).pValue == 1)
    #expect(Proportion.chiSquare([all, all]).pValue == 1)
    #expect(Proportion.chiSquare(counts: [], shares: []).pValue == 1)
    #expect(Proportion.chiSquare(counts: [0, 0], shares: [50, 50]).pValue == 1)
  }

  @Test("counts that are not divided as planned are improbable")
  func division() {
    #expect(Proportion.chiSquare(counts: [5010, 4990], shares: [50, 50]).pValue > 0.8)
    #expect(Proportion.chiSquare(counts: [5200, 4800], shares: [50, 50]).pValue < 0.001)
  }

  /// Holm's procedure multiplies the smallest of m values by m, the next by m − 1, and keeps the
  /// order: `p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")` of R is 0.03, 0.06, 0.06, 0.02.
  @Test("Holm's correction is that of R")
  func holm() {
    let corrected = Proportion.corrected([0.01, 0.04, 0.03, 0.005])
    for (value, wanted) in zip(corrected, [0.03, 0.06, 0.06, 0.02]) {
      #expect(abs(value - wanted) < 1e-12)
    }
  }

  static let comparisons: [(counts: [Int], winner: String?)] = [
    ([130, 1000, 80, 1000], "0"), ([80, 1000, 130, 1000], "1"), ([110, 1000, 100, 1000], nil),
    ([0, 0, 100, 1000], nil), ([0, 1000, 0, 1000], nil), ([100, 1000], nil),
    // The best two are alike, so neither wins.
    ([200, 1000, 195, 1000, 50, 1000], nil), ([260, 1000, 190, 1000, 50, 1000], "0"),
  ]

  @Test(
    "the best variant wins where it is better than every other by more than chance",
    arguments: comparisons)
  func winner(counts: [Int], winner: String?) {
    let arms = stride(from: 0, to: counts.count, by: 2).map { place in
      VariantComparison.Arm(
        key: String(place / 2),
        result: Proportion(successes: counts[place], trials: counts[place + 1]))
    }
    #expect(VariantComparison(arms).winner == winner)
  }
}

/// A comparison of a test's variants by their rates.
struct VariantComparison: Hashable, Sendable {
  /// A variant and its successes.
  struct Arm: Hashable, Sendable {
    var key: String
    var result: Proportion
  }

  /// The p-value of the difference between an arm and the best one.
  struct Pair: Hashable, Sendable {
    var key: String
    var pValue: Double
  }

  /// The p-value below which a difference counts as significant.
  static let significance = 0.05

  var arms: [Arm]
  /// The arm with the highest rate, or the first one if several have it.
  private(set) var best: Arm?
  /// The p-value of the differences among all arms, by Pearson's χ².
  private(set) var pValue: Double
  /// The arms other than the best one, with their p-values after Holm's correction.
  private(set) var pairs: [Pair]

  init(_ arms: [Arm]) {
    self.arms = arms
    best = arms.first.map { first in
      arms.dropFirst().reduce(first) { $1.result.rate > $0.result.rate ? $1 : $0 }
    }
    pValue = Proportion.chiSquare(arms.map(\.result)).pValue
    let others = arms.filter { [best] in $0.key != best?.key }
    let values = others.map { [best] in best?.result.pValue(against: $0.result) ?? 1 }
    pairs = zip(others, Proportion.corrected(values)).map { Pair(key: $0.key, pValue: $1) }
  }

  /// The key of the best arm; `nil` unless it is significantly better than every other arm.
  var winner: String? {
    guard let best, arms.count > 1, arms.allSatisfy({ $0.result.trials > 0 }),
      pValue < Self.significance, pairs.allSatisfy({ $0.pValue < Self.significance })
    else { return nil }
    return best.key
  }
}

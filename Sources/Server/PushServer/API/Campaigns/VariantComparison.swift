/// The variants of a test by their rates, and whether one is better than every other.
struct VariantComparison: Hashable, Sendable {
  /// A variant and its successes.
  struct Arm: Hashable, Sendable {
    var key: String
    var result: Proportion
  }

  /// The probability of an arm's difference from the best one.
  struct Pair: Hashable, Sendable {
    var key: String
    var pValue: Double
  }

  /// The probability below which a difference is taken for one.
  static let significance = 0.05

  var arms: [Arm]
  /// The arm with the highest rate; of equal ones the first.
  private(set) var best: Arm?
  /// The probability of such differences among all arms where there is none.
  private(set) var pValue: Double
  /// The others beside the best arm, with probabilities that are corrected for their number.
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

  /// The best arm, where it is better than every other by more than chance.
  var winner: String? {
    guard let best, arms.count > 1, arms.allSatisfy({ $0.result.trials > 0 }),
      pValue < Self.significance, pairs.allSatisfy({ $0.pValue < Self.significance })
    else { return nil }
    return best.key
  }
}

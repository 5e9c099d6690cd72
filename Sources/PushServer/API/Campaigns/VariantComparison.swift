/// The variants of a test by their rates, and whether one is better than every other.
struct VariantComparison: Hashable, Sendable {
  /// A variant and its successes.
  struct Arm: Hashable, Sendable {
    var key: String
    var result: Proportion
  }

  /// The probability below which a difference is taken for one.
  static let significance = 0.05

  var arms: [Arm]
  /// The arm with the highest rate; of equal ones the first.
  private(set) var best: Arm?
  /// The probability of such differences among all arms where there is none.
  private(set) var pValue: Double
  /// The probabilities of the best arm's differences from the others, by their keys, corrected for
  /// their number.
  private(set) var pairs: [(key: String, pValue: Double)]

  init(_ arms: [Arm]) {
    self.arms = arms
    best = arms.first.map { first in
      arms.dropFirst().reduce(first) { $1.result.rate > $0.result.rate ? $1 : $0 }
    }
    pValue = Proportion.chiSquare(arms.map(\.result)).pValue
    let others = arms.filter { [best] in $0.key != best?.key }
    let values = others.map { [best] in best?.result.pValue(against: $0.result) ?? 1 }
    pairs = zip(others, Proportion.corrected(values)).map { ($0.key, $1) }
  }

  /// The best arm, where it is better than every other by more than chance.
  var winner: String? {
    guard let best, arms.count > 1, arms.allSatisfy({ $0.result.trials > 0 }),
      pValue < Self.significance, pairs.allSatisfy({ $0.pValue < Self.significance })
    else { return nil }
    return best.key
  }

  static func == (left: VariantComparison, right: VariantComparison) -> Bool {
    left.arms == right.arms
  }

  func hash(into hasher: inout Hasher) { hasher.combine(arms) }
}

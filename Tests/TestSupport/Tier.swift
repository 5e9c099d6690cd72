#if os(Linux)
  import Foundation

  /// How much of a test with many cases runs: a sample in `make test`, all of it in `make verify`.
  package enum Tier {
    /// Whether every case runs, which `TEST_TIER=whole` asks for.
    package static let isWhole = ProcessInfo.processInfo.environment["TEST_TIER"] == "whole"

    /// The first number in `make test`, the second in `make verify`.
    package static func sample(_ some: Int, of all: Int) -> Int { isWhole ? all : some }

    /// The rounds of a test that mutates its input at random: a sample, or what `MARTLET_MUTATIONS` asks for divided by `cost`.
    package static func mutations(_ some: Int, of all: Int, cost: Int = 1) -> Int {
      let asked = ProcessInfo.processInfo.environment["MARTLET_MUTATIONS"].flatMap { Int($0) }
      return asked.map { $0 / cost } ?? sample(some, of: all)
    }
  }

  extension Array {
    /// Every element in `make verify`; in `make test` at most `count` of them at equal distances, the first and the last among them.
    package func sampled(_ count: Int) -> [Element] {
      guard !Tier.isWhole, self.count > count, count > 1 else { return self }
      return (0..<count).map { self[$0 * (self.count - 1) / (count - 1)] }
    }
  }
#endif

import Synchronization
import TestSupport

/// One source of random numbers of a simulated world, by a purpose of its own, so that the use of one does not change
/// another.
final class Chance: Sendable {
  private let random: Mutex<SeededGenerator>

  init(seed: UInt64, purpose: UInt64) {
    var mixed = SeededGenerator(seed: seed ^ (purpose &* 0x9e37_79b9_7f4a_7c15))
    random = Mutex(SeededGenerator(seed: mixed.next()))
  }

  func number(in range: ClosedRange<Int>) -> Int {
    random.withLock { Int.random(in: range, using: &$0) }
  }

  /// Whether something happens that happens `share` times of a thousand.
  func isTrue(_ share: Int) -> Bool { share > 0 && number(in: 0...999) < share }

  /// Runs a body with the generator.
  func with<T>(_ body: (inout SeededGenerator) -> T) -> T { random.withLock { body(&$0) } }
}

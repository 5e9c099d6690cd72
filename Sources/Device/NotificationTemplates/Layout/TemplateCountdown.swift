/// The time until a countdown ends.
///
/// It is computed from the end at each tick, so that a view that was away shows the right time.
package struct TemplateCountdown: Hashable, Sendable {
  /// The whole seconds that remain; 0 when it has ended.
  package var seconds: Int

  package init(end: Double, now: Double) {
    let rest = (end - now).rounded(.up)
    seconds = rest >= 1 ? Int(min(rest, 1e9)) : 0
  }

  package var hasEnded: Bool { seconds == 0 }

  /// The time as `09:41`, `1:09:41`, or with the days before it: `2 d 01:09:41`.
  package func text(_ words: TemplateWords) -> String {
    let (days, hours) = (seconds / 86_400, seconds / 3600 % 24)
    let rest = "\(Self.two(seconds / 60 % 60)):\(Self.two(seconds % 60))"
    if days > 0 { return "\(days) \(words.day) \(Self.two(hours)):\(rest)" }
    return hours > 0 ? "\(hours):\(rest)" : rest
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

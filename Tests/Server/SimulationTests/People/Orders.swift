import PushModel

/// What was ordered about a send or a campaign, by the times at which the answers came.
struct Orders: Sendable {
  /// The times in which it is paused: from the answer to the pause until a resume is asked for.
  private(set) var pauses: [(from: Timestamp, to: Timestamp?)] = []
  /// The time of the answer that says it is canceled, or has ended.
  private(set) var canceled: Timestamp?

  /// Whether it is paused now.
  var isPaused: Bool { pauses.last.map { $0.to == nil } ?? false }

  /// Whether it was paused at a time.
  func wasPaused(at time: Timestamp) -> Bool {
    pauses.contains { $0.from < time && time < $0.to ?? Timestamp(milliseconds: .max) }
  }

  mutating func paused(at time: Timestamp) {
    if !isPaused { pauses.append((from: time, to: nil)) }
  }

  mutating func resumed(at time: Timestamp) {
    if isPaused { pauses[pauses.count - 1].to = time }
  }

  mutating func canceled(at time: Timestamp) { canceled = canceled ?? time }
}

import PushModel
import Synchronization

/// What happened in a simulated world, a line each. The same seed writes the same journal.
final class Journal: Sendable {
  private let text = Mutex<[String]>([])
  private let start: Timestamp

  init(from start: Timestamp) { self.start = start }

  /// Adds a line about something that happened at a time.
  func note(_ line: String, at time: Timestamp) {
    let milliseconds = (time.milliseconds - start.milliseconds)
    let seconds = "\(milliseconds / 1000)"
    let rest = "\(1000 + milliseconds % 1000)".dropFirst()
    text.withLock { $0.append("\(seconds).\(rest) \(line)") }
  }

  var lines: [String] { text.withLock(\.self) }
}

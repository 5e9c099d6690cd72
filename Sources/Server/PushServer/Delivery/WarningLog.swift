import PushModel
import Synchronization

/// A log of warnings about an app's sends, each at most once a minute.
final class WarningLog: Sendable {
  enum Kind {
    /// APNs does not answer.
    case outage
    /// So many devices are reported invalid that the reports are doubted.
    case doubt
  }

  private struct Key: Hashable {
    var kind: Kind
    var app: String
  }

  private static let interval = Duration.seconds(60)

  private let lastReported = Mutex<[Key: Timestamp]>([:])
  private let clock: ServerClock
  private let log: @Sendable (String) -> Void

  init(clock: ServerClock, log: @escaping @Sendable (String) -> Void) {
    self.clock = clock
    self.log = log
  }

  /// Logs a warning about an app, unless one of the same kind was logged in the last minute.
  func report(_ kind: Kind, app: String, _ message: String) {
    let now = clock.now()
    let key = Key(kind: kind, app: app)
    let isDue = lastReported.withLock { lastReported in
      // A clock that was set back does not suppress a warning.
      if let last = lastReported[key], last <= now, now.since(last) < Self.interval {
        return false
      }
      lastReported[key] = now
      return true
    }
    if isDue { log("app \(app): \(message)") }
  }
}

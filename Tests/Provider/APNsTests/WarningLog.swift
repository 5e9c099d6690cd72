import APNs
import Synchronization

/// Records the warnings of a client.
final class WarningLog: APNsMetrics {
  private let taken = Mutex<[String]>([])
  var warnings: [String] { taken.withLock { $0 } }

  func ended(_: APNsOutcome, topic: String, connection: Int?, duration: Duration?) {}
  func opened(connection: Int) {}
  func closed(connection: Int, reason: String) {}
  func load(inFlight: Int, waiting: Int) {}
  func warned(_ message: String) { taken.withLock { $0.append(message) } }
}

import Foundation
import Synchronization

/// Standard output, which records whether writing a line failed, for example on a full disk.
final class StandardOutput: Sendable {
  private let lost = Mutex(false)

  var isLost: Bool { lost.withLock { $0 } }

  func print(_ line: String) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
    } catch {
      lost.withLock { $0 = true }
    }
  }
}

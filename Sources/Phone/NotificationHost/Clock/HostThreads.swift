import Synchronization
import _Spawn

/// The threads of this process whose work is not the extension's: the host's own, and those of extensions that
/// have ended.
enum HostThreads {
  private static let numbers = Mutex<Set<Int32>>([])

  static var all: Set<Int32> { numbers.withLock { $0 } }

  /// The kernel's number of the calling thread.
  static var current: Int32 { ProcessThreads.current }

  static func insert(_ thread: Int32) { _ = numbers.withLock { $0.insert(thread) } }
  static func remove(_ thread: Int32) { _ = numbers.withLock { $0.remove(thread) } }

  /// Runs a closure that the calling thread does for the host.
  static func run(_ body: () -> Void) {
    let thread = current
    insert(thread)
    body()
    remove(thread)
  }
}

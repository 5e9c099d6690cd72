#if os(Linux)
  import Glibc
#else
  import Foundation
#endif

/// A value protected by a lock.
///
/// `Synchronization.Mutex` would need iOS 18.
///
/// `@unchecked Sendable`: the value is `Sendable` and is accessed only in `withLock`, which holds the lock for the whole
/// access.
package final class Locked<Value: Sendable>: @unchecked Sendable {
  private let lock = Lock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

#if os(Linux)
  /// A lock of POSIX threads: Foundation's would add Foundation and ICU, 40 MB, to a program without them.
  private final class Lock {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() { pthread_mutex_init(mutex, nil) }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    func lock() { pthread_mutex_lock(mutex) }
    func unlock() { pthread_mutex_unlock(mutex) }
  }
#else
  private typealias Lock = NSLock
#endif

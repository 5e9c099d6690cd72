// swift-format-ignore-file: AlwaysUseLowerCamelCase
import Glibc
import Synchronization

/// Apple's `os_unfair_lock`, which code allocates at a stable address and passes by pointer.
///
/// Source: Apple, `os_unfair_lock_lock`.
public struct os_unfair_lock_s: Sendable {
  fileprivate var isHeld: UInt32 = 0

  /// Creates a lock that nobody holds.
  public init() {}
}

/// Apple's other name of the lock.
public typealias os_unfair_lock = os_unfair_lock_s
/// A pointer to a lock.
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

/// Locks.
///
/// - Parameter lock: The lock.
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) {
  while unsafe !os_unfair_lock_trylock(lock) { sched_yield() }
}

/// Locks, unless another thread holds the lock.
///
/// - Parameter lock: The lock.
/// - Returns: Whether it has locked.
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
  unsafe withAtomic(lock) {
    $0.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
  }
}

/// Unlocks.
///
/// - Parameter lock: The lock.
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) {
  unsafe withAtomic(lock) { $0.store(0, ordering: .releasing) }
}

/// Calls a closure with the lock's number, which has the layout of an `Atomic<UInt32>`.
private func withAtomic<R>(
  _ lock: os_unfair_lock_t, _ body: (borrowing Atomic<UInt32>) -> R
) -> R {
  unsafe body(UnsafeRawPointer(lock).assumingMemoryBound(to: Atomic<UInt32>.self).pointee)
}

import Foundation
import Testing
import os

@Suite("The locks of os")
struct LockTests {
  @Test("threads change a protected state one after the other")
  func state() async {
    let lock = OSAllocatedUnfairLock(initialState: 0)
    DispatchQueue.concurrentPerform(iterations: 1_000) { _ in lock.withLock { $0 += 1 } }
    #expect(lock.withLock { $0 } == 1_000)
  }

  @Test("a lock that is held is not available")
  func available() {
    let lock = OSAllocatedUnfairLock()
    lock.lock()
    #expect(!lock.lockIfAvailable())
    lock.unlock()
    #expect(lock.lockIfAvailable())
    lock.unlock()
    #expect(lock.withLock { 3 } == 3)
    let state = OSAllocatedUnfairLock(uncheckedState: "a")
    #expect(state.withLockIfAvailable { $0.count } == 1)
    #expect(state.withLockUnchecked { _ in state.withLockIfAvailable { $0.count } } == nil)
  }

  @Test("a thread that locks twice ends the process")
  func twice() async {
    await #expect(processExitsWith: .failure) {
      let lock = OSAllocatedUnfairLock()
      lock.lock()
      lock.lock()
    }
  }

  @Test("threads that share an os_unfair_lock change a value one after the other")
  func unfair() {
    let counter = Counter()
    DispatchQueue.concurrentPerform(iterations: 200) { _ in counter.increment() }
    #expect(counter.value == 200)
    var lock = os_unfair_lock()
    #expect(os_unfair_lock_trylock(&lock))
    #expect(!os_unfair_lock_trylock(&lock))
    os_unfair_lock_unlock(&lock)
    #expect(os_unfair_lock_trylock(&lock))
  }
}

/// A number behind an allocated `os_unfair_lock`, as much code has it.
///
/// `@unchecked Sendable`: `count` is read and changed only while the lock is held.
private final class Counter: @unchecked Sendable {
  private let lock: os_unfair_lock_t = {
    let lock = os_unfair_lock_t.allocate(capacity: 1)
    lock.initialize(to: os_unfair_lock())
    return lock
  }()
  private var count = 0

  deinit { lock.deallocate() }

  func increment() {
    os_unfair_lock_lock(lock)
    defer { os_unfair_lock_unlock(lock) }
    count += 1
  }

  var value: Int {
    os_unfair_lock_lock(lock)
    defer { os_unfair_lock_unlock(lock) }
    return count
  }
}

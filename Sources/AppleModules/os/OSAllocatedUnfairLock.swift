import Glibc

/// Apple's `OSAllocatedUnfairLock`, a lock with the state that it protects.
///
/// As on Apple's systems, a thread that locks twice, or unlocks a lock that it does not hold, ends the process.
///
/// `@unchecked Sendable`: the state is reached only through the lock; callers of `withLockUnchecked` guarantee its safety.
///
/// Source: Apple, `OSAllocatedUnfairLock`.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  private let storage: LockStorage<State>

  /// Creates a lock.
  ///
  /// - Parameter initialState: The state, of any type.
  public init(uncheckedState initialState: State) { storage = LockStorage(initialState) }

  /// Creates a lock.
  ///
  /// - Parameter initialState: The state.
  public init(initialState: State) where State: Sendable { storage = LockStorage(initialState) }

  /// Calls a closure while the lock is held.
  ///
  /// - Parameter body: The closure.
  /// - Returns: The closure's result.
  public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
    try withLockUnchecked(body)
  }

  /// Calls a closure while the lock is held.
  ///
  /// - Parameter body: The closure.
  /// - Returns: The closure's result.
  public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
    storage.lock()
    defer { storage.unlock() }
    return try body(&storage.state)
  }

  /// Calls a closure while the lock is held, unless another thread holds it.
  ///
  /// - Parameter body: The closure.
  /// - Returns: The closure's result; `nil` if another thread holds the lock.
  public func withLockIfAvailable<R: Sendable>(
    _ body: @Sendable (inout State) throws -> R
  ) rethrows -> R? {
    try withLockIfAvailableUnchecked(body)
  }

  /// Calls a closure while the lock is held, unless another thread holds it.
  ///
  /// - Parameter body: The closure.
  /// - Returns: The closure's result; `nil` if another thread holds the lock.
  public func withLockIfAvailableUnchecked<R>(
    _ body: (inout State) throws -> R
  ) rethrows -> R? {
    guard storage.lockIfAvailable() else { return nil }
    defer { storage.unlock() }
    return try body(&storage.state)
  }
}

extension OSAllocatedUnfairLock where State == () {
  /// Creates a lock without a state.
  public init() { self.init(uncheckedState: ()) }

  /// Locks.
  public func lock() { storage.lock() }
  /// Unlocks.
  public func unlock() { storage.unlock() }
  /// Locks, unless another thread holds the lock.
  ///
  /// - Returns: Whether it has locked.
  public func lockIfAvailable() -> Bool { storage.lockIfAvailable() }

  /// Calls a closure while the lock is held.
  ///
  /// - Parameter body: The closure.
  /// - Returns: The closure's result.
  public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R {
    try withLockUnchecked(body)
  }

  /// Calls a closure while the lock is held.
  ///
  /// - Parameter body: The closure.
  /// - Returns: The closure's result.
  public func withLockUnchecked<R>(_ body: () throws -> R) rethrows -> R {
    lock()
    defer { unlock() }
    return try body()
  }
}

/// A mutex of the system, which knows its owner, and the state.
private final class LockStorage<State> {
  var state: State
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init(_ state: State) {
    self.state = state
    var attributes = pthread_mutexattr_t()
    unsafe pthread_mutexattr_init(&attributes)
    unsafe pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
    unsafe pthread_mutex_init(mutex, &attributes)
    unsafe pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  func lock() {
    let result = unsafe pthread_mutex_lock(mutex)
    precondition(result == 0, "the thread already holds the lock")
  }

  func unlock() {
    let result = unsafe pthread_mutex_unlock(mutex)
    precondition(result == 0, "the thread does not hold the lock")
  }

  func lockIfAvailable() -> Bool { unsafe pthread_mutex_trylock(mutex) == 0 }
}

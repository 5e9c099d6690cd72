import Foundation

/// A value behind a lock; `Synchronization.Mutex` needs iOS 18.
///
/// `@unchecked Sendable`: the value is reached through `withLock` alone, which holds the lock for the
/// whole access, and it is itself `Sendable`, so nothing inside can be shared on the side.
final class Locked<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

import Foundation

/// A value protected by a lock.
///
/// `Synchronization.Mutex` would need iOS 18.
///
/// `@unchecked Sendable`: the value is `Sendable` and is accessed only in `withLock`, which holds the lock for the whole
/// access.
package final class Locked<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

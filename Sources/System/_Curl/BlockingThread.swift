import Foundation
import Glibc

/// A thread of its own for work that blocks, which must not run on a thread of the cooperative pool.
enum BlockingThread {
  typealias Start = @Sendable (_ work: @escaping @Sendable () -> Void) throws -> Void

  /// Starts a thread, which ends with its work.
  ///
  /// Foundation's `Thread` does not tell that the system has no thread left, and then never does the work.
  static func start(
    named name: String, _ work: @escaping @Sendable () -> Void
  ) throws(ThreadError) {
    final class Work: Sendable {
      let run: @Sendable () -> Void
      init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    let named = Work {
      Thread.current.name = name
      work()
    }
    let retained = unsafe Unmanaged.passRetained(named)
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer = unsafe pointer else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, retained.toOpaque())
    guard result == 0 else {
      unsafe retained.release()
      throw ThreadError(code: result)
    }
    _ = pthread_detach(thread)
  }
}

/// The error of a system that cannot start another thread.
package struct ThreadError: Error, Sendable, CustomStringConvertible {
  /// The system's `errno`.
  package let code: Int32

  init(code: Int32) { self.code = code }

  package var description: String {
    "the system cannot start a thread for it: \(unsafe String(cString: strerror(code)))"
  }
}

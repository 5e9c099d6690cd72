import Foundation
import Glibc
import Synchronization

/// A program run beside this one: its standard output as lines, its end as a status.
///
/// Foundation's `Process` reads past its buffer while it lists open files on Linux, and now and then
/// that is fatal; this is `posix_spawn` and nothing else.
package final class ChildProcess: Sendable {
  package let identifier: Int32
  /// Each line of its standard output, without the newline; ends with the output.
  package let lines: AsyncStream<String>
  private let ending = Mutex(Ending())

  private struct Ending {
    var status: Int32?
    var waiting: [CheckedContinuation<Int32, Never>] = []
  }

  /// Starts a program; it inherits standard input, and nothing else but what is named here.
  ///
  /// With `keepsErrors` its standard error is this program's.
  package init(
    _ executable: String, _ arguments: [String], keepsErrors: Bool = true
  ) throws(SpawnError) {
    let (reading, writing) = try Self.pipe()
    defer { _ = close(writing) }
    identifier = try Self.spawn(
      executable, arguments, output: writing, keepsErrors: keepsErrors, closing: reading)
    let (lines, line) = AsyncStream<String>.makeStream()
    self.lines = lines
    Thread.detachNewThread { [self] in
      Self.read(reading) { line.yield($0) }
      _ = close(reading)
      line.finish()
      Self.awaitEnd(identifier)
      end()
    }
  }

  /// Waits for its end, which is noticed once its output has ended.
  ///
  /// The exit code, or 128 and the number of the signal that ended it.
  package func wait() async -> Int32 {
    await withCheckedContinuation { continuation in
      let status = ending.withLock { ending in
        if ending.status == nil { ending.waiting.append(continuation) }
        return ending.status
      }
      if let status { continuation.resume(returning: status) }
    }
  }

  /// Sends it a signal; without effect once it has ended.
  package func signal(_ number: Int32) {
    // Under the lock: an identifier that was reaped may be another's by now.
    ending.withLock { ending in
      if ending.status == nil { _ = kill(identifier, number) }
    }
  }

  package var isRunning: Bool { ending.withLock { $0.status == nil } }

  private func end() {
    // Reaped under the lock: until then the identifier is this child's, and a signal reaches no other.
    let (status, waiting) = ending.withLock { ending in
      let status = Self.reap(identifier)
      ending.status = status
      defer { ending.waiting = [] }
      return (status, ending.waiting)
    }
    for continuation in waiting { continuation.resume(returning: status) }
  }
}

/// Why a program could not be started.
package struct SpawnError: Error, Sendable, CustomStringConvertible {
  package let message: String
  /// The system's `errno`.
  package let number: Int32

  init(_ what: String, _ number: Int32) {
    self.number = number
    message = "\(what): \(unsafe String(cString: strerror(number)))"
  }

  package var description: String { message }
}

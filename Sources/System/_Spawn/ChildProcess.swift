import CLinux
import Glibc
import Synchronization

/// A child process whose standard output is read as lines.
///
/// It uses `posix_spawn` directly, because Foundation's `Process` on Linux reads past a buffer while it lists
/// open files, which sometimes crashes.
package final class ChildProcess: Sendable {
  package let identifier: Int32
  /// The lines of its standard output, without newlines.
  package let lines: AsyncStream<String>
  private let ending = Mutex(Ending())

  private struct Ending {
    var status: Int32?
    var waiting: [CheckedContinuation<Int32, Never>] = []
  }

  /// Starts a program, which inherits only standard input, and standard error if `keepsErrors` is true.
  ///
  /// `input` replaces standard input with a file that has these bytes. It is only in memory, and can be
  /// opened again as `/dev/stdin`.
  package init(
    _ executable: String, _ arguments: [String], input: [UInt8]? = nil, keepsErrors: Bool = true
  ) throws(SpawnError) {
    let file = try input.map { (bytes) throws(SpawnError) in try Self.memoryFile(of: bytes) }
    defer { if let file { _ = close(file) } }
    let (reading, writing) = try Self.pipe()
    defer { _ = close(writing) }
    identifier = try Self.spawn(
      executable, arguments, input: file, output: writing, keepsErrors: keepsErrors,
      closing: reading)
    let (lines, line) = AsyncStream<String>.makeStream()
    self.lines = lines
    let isStarted = Self.startThread { [self] in
      Self.read(reading) { line.yield($0) }
      _ = close(reading)
      line.finish()
      Self.awaitEnd(identifier)
      recordEnd()
    }
    guard isStarted else {
      _ = close(reading)
      _ = kill(identifier, SIGKILL)
      Self.awaitEnd(identifier)
      recordEnd()
      throw SpawnError("cannot start a thread for \(executable)", EAGAIN)
    }
  }

  /// Runs a closure on a separate thread; `false` if the system cannot start another one.
  private static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    final class Body: Sendable {
      let run: @Sendable () -> Void
      init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    let retained = unsafe Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer = unsafe pointer else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, retained.toOpaque())
    guard result == 0 else {
      unsafe retained.release()
      return false
    }
    _ = pthread_detach(thread)
    return true
  }

  /// Waits until the output and the process have ended.
  ///
  /// - Returns: The exit code, or 128 plus the number of the signal that ended the process.
  package func wait() async -> Int32 {
    await withCheckedContinuation { continuation in
      let status = ending.withLock { ending in
        if ending.status == nil { ending.waiting.append(continuation) }
        return ending.status
      }
      if let status { continuation.resume(returning: status) }
    }
  }

  /// Sends a signal to the process.
  ///
  /// It has no effect after the process has ended.
  package func signal(_ number: Int32) {
    // The lock is held, because the identifier of a reaped process may be reused.
    ending.withLock { ending in
      if ending.status == nil { _ = kill(identifier, number) }
    }
  }

  package var isRunning: Bool { ending.withLock { $0.status == nil } }

  private func recordEnd() {
    // The process is reaped under the lock, so that a signal cannot reach another process with the same identifier.
    let (status, waiting) = ending.withLock { ending in
      let status = Self.reap(identifier)
      ending.status = status
      defer { ending.waiting = [] }
      return (status, ending.waiting)
    }
    for continuation in waiting { continuation.resume(returning: status) }
  }
}

/// The reason why a program could not be started.
package struct SpawnError: Error, Sendable, CustomStringConvertible {
  package let message: String
  /// The system's `errno`.
  package let number: Int32

  init(_ failure: String, _ number: Int32) {
    self.number = number
    message = "\(failure): \(unsafe String(cString: strerror(number)))"
  }

  package var description: String { message }
}

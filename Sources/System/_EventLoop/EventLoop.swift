import CLinux
import Glibc
import Synchronization

/// An event loop: a thread that waits for sockets and timers, and that runs actors.
///
/// An actor runs on the thread of the loop that is its `unownedExecutor`. Its state then needs no lock, and the handler
/// of a socket enters the actor with `assumeIsolated`. The thread ends when the last reference to the loop is released.
package final class EventLoop: SerialExecutor {
  private let core: LoopCore

  /// Starts the thread; its name is cut to 15 bytes.
  package init(name: String) throws(SystemError) {
    core = try LoopCore(name: name)
    try core.start()
  }

  deinit { core.stop() }

  package func enqueue(_ job: consuming ExecutorJob) {
    core.add(UnownedJob(job), on: self)
  }

  package func checkIsolated() {
    precondition(core.isCurrentThread, "called off the event loop's thread")
  }

  package func isIsolatingCurrentContext() -> Bool? { core.isCurrentThread }
}

extension EventLoop {
  /// The operations for which a socket is ready, or for which it is watched.
  package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let read = Readiness(rawValue: 1)
    package static let write = Readiness(rawValue: 2)
  }

  /// The registration of a socket or timer.
  package struct Registration: Hashable, Sendable {
    let id: UInt64
    var fileDescriptor: Int32 = -1
  }

  /// Watches a socket; the handler runs on the loop's thread each time it is ready (level-triggered).
  ///
  /// An error or a hang-up counts as ready for reading and writing.
  package func watch(
    _ socket: Socket, for interest: Readiness, _ handler: @escaping @Sendable (Readiness) -> Void
  ) throws(SystemError) -> Registration {
    try core.watch(socket.fileDescriptor, for: interest, handler)
  }

  /// Changes the operations for which a socket is watched.
  package func change(_ registration: Registration, to interest: Readiness) {
    core.change(registration, to: interest)
  }

  /// Removes a timer, or a socket that must not be closed yet; its handler is not called again.
  package func cancel(_ registration: Registration) { core.cancel(registration) }

  /// Sets a timer; the handler runs once on the loop's thread.
  package func schedule(
    at deadline: ContinuousClock.Instant, _ handler: @escaping @Sendable () -> Void
  ) -> Registration {
    core.schedule(at: deadline, handler)
  }
}

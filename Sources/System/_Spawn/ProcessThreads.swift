import CLinux
import Glibc

/// The activity of a process's threads, read from `/proc`.
package struct ProcessThreads: Hashable, Sendable {
  /// Whether a thread runs, is ready to run, or waits for a disk.
  package var isRunning: Bool
  /// Whether a thread sleeps for some time, as in `usleep` and `Thread.sleep`.
  package var isSleeping: Bool
  /// The number of times that Dispatch's timer thread has waited; `nil` if the process has no such thread.
  package var timerThreadWaits: Int?
  /// A digest of the threads and of their numbers of context switches.
  private var switches: UInt

  /// Reads the threads of a process.
  ///
  /// - Parameters:
  ///   - process: The process.
  ///   - ignored: The process's threads that are not read.
  ///   - reader: A thread of the calling process that counts as one of the process.
  package init(of process: Int32, without ignored: Set<Int32> = [], and reader: Int32? = nil) {
    var threads = martlet_threads(running: 0, sleeping: 0, switches: 0, timer_waits: -1)
    let ignored = Array(ignored)
    unsafe martlet_read_threads(process, ignored, Int32(ignored.count), &threads)
    if let reader { unsafe martlet_read_thread(Self.ownProcess, reader, &threads) }
    (isRunning, isSleeping) = (threads.running != 0, threads.sleeping != 0)
    timerThreadWaits = threads.timer_waits < 0 ? nil : threads.timer_waits
    switches = threads.switches
  }

  /// The identifier of the calling process.
  package static let ownProcess: Int32 = getpid()

  /// The kernel's identifier of the calling thread.
  package static var current: Int32 { martlet_current_thread() }

  /// Whether a thread of the calling process runs, is ready to run, or waits for a disk.
  package static func isRunning(_ thread: Int32) -> Bool {
    var threads = martlet_threads(running: 0, sleeping: 0, switches: 0, timer_waits: -1)
    unsafe martlet_read_thread(ownProcess, thread, &threads)
    return threads.running != 0
  }

  /// Whether a thread of the calling process waits for another one, without a timeout.
  package static func waitsForThread(_ thread: Int32) -> Bool {
    martlet_waits_for_thread(ownProcess, thread) != 0
  }
}

/// An active timer of a process.
///
/// Dispatch and run loops have a file descriptor for each clock.
package struct ProcessTimer: Sendable {
  /// The file descriptor.
  package var descriptor: Int32
  /// The time until it expires.
  package var left: Duration

  private static let maximum = 64

  /// Reads the timers of a process, at most 64.
  package static func all(of process: Int32) -> [ProcessTimer] {
    var timers = [martlet_timer](repeating: martlet_timer(), count: maximum)
    let count = unsafe martlet_read_timers(process, &timers, Int32(maximum))
    return timers[..<Int(count)].map {
      ProcessTimer(
        descriptor: $0.descriptor, left: .seconds($0.seconds) + .nanoseconds($0.nanoseconds))
    }
  }
}

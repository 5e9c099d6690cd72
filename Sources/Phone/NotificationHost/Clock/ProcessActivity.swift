import Glibc
import _Spawn

/// The signs that a process has work in progress.
///
/// A process is idle if each of its threads waits for another one, and no timer of Dispatch or of a run loop is set.
/// If `/proc` cannot be read, a process counts as idle.
struct ProcessActivity: Sendable {
  /// Whether other code, such as another test, was running at the beginning.
  let isShared: Bool
  private let process: Int32
  /// A thread of this process that must be idle as well.
  private let reader: Int32?
  /// The number of times that Dispatch's timer thread had waited at the beginning.
  private let timerThreadWaits: Int?
  /// The timers that were set at the beginning, which belong to others.
  private let foreignTimers: [(timer: ProcessTimer, expires: ContinuousClock.Instant)]

  private init(process: Int32, reader: Int32?, threads: ProcessThreads) {
    (self.process, self.reader) = (process, reader)
    isShared = threads.isRunning
    timerThreadWaits = threads.timerThreadWaits
    foreignTimers = ProcessTimer.all(of: process).map { ($0, .now + $0.left) }
  }

  /// The activity of this process from now on.
  ///
  /// - Parameter caller: The calling thread.
  init(caller: Int32) {
    let process = ProcessThreads.ownProcess
    self.init(
      process: process, reader: nil,
      threads: ProcessThreads(of: process, without: HostThreads.all.union([caller])))
  }

  /// The activity of another process, whose messages a thread of this process reads.
  init(process: Int32, reader: Int32) {
    // The thread for timers has just set its first one, and may not wait again yet.
    var threads = ProcessThreads(of: process)
    for _ in 0..<50 where threads.timerThreadWaits == nil {
      usleep(100)
      threads = ProcessThreads(of: process)
    }
    threads.isRunning = false
    self.init(process: process, reader: reader, threads: threads)
  }

  /// Whether the process will do something by itself in the given time.
  func isBusy(for time: Duration) -> Bool {
    // Threads are read one after the other, and one may wake another that was read before, or its timer may expire.
    // If no thread has run between the first reading and the last, the process was idle all the time between them.
    let threads = threads
    guard !threads.isRunning, !threads.isSleeping,
      !ProcessTimer.all(of: process).contains(where: { $0.left < time && !isForeign($0) })
    else { return true }
    return self.threads != threads
  }

  private var threads: ProcessThreads {
    let isOwn = process == ProcessThreads.ownProcess
    return ProcessThreads(of: process, without: isOwn ? HostThreads.all : [], and: reader)
  }

  /// Whether a timer was set at the beginning, or is the next run of Dispatch's timer that repeats every second.
  ///
  /// Only the timer of a clock that expires first is seen. Unless Dispatch's thread has run only for the repeating
  /// timer, an extension's timer may stand behind it, and then it counts.
  private func isForeign(_ timer: ProcessTimer) -> Bool {
    let expires = ContinuousClock.now + timer.left
    return foreignTimers.contains { foreign in
      let seconds = (expires - foreign.expires) / .seconds(1)
      let repeats = seconds.rounded()
      return foreign.timer.descriptor == timer.descriptor && repeats >= 0
        && abs(seconds - repeats) < 0.002
        && threads.timerThreadWaits == timerThreadWaits.map { $0 + Int(repeats) }
    }
  }
}

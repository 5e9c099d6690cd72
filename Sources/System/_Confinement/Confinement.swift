import CLinux
import Glibc

/// The rights that a process keeps once it has confined itself, before it reads what strangers made.
package struct Confinement: Sendable {
  /// The files and folders that it may read; it may open no other file, and write none.
  package var readable: [String]
  /// How many bytes it may allocate.
  package var memory: Int
  /// The descriptor of the stream socket to which it may write, beside standard error.
  package var channel: Int32

  package init(readable: [String], memory: Int, channel: Int32) {
    self.readable = readable
    self.memory = memory
    self.channel = channel
  }

  /// Whether the kernel can limit the files that a process opens.
  package static var limitsFiles: Bool { martlet_limits_files() != 0 }

  /// Confines this process for good.
  ///
  /// Call it before the process has a second thread. From then on it computes, reads files and writes to its
  /// channel, and leaves no core file; another system call ends it. Files are limited where the kernel has Landlock,
  /// that is, from Linux 5.13 on.
  ///
  /// - Throws: ``ConfinementError`` where the system refuses it; the process must then not go on.
  package func apply() throws(ConfinementError) {
    for (resource, limit) in [(RLIMIT_DATA, memory), (RLIMIT_CORE, 0)] {
      var value = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
      guard unsafe setrlimit(__rlimit_resource_t(resource.rawValue), &value) == 0 else {
        throw ConfinementError("cannot limit this process", errno)
      }
    }
    var paths = unsafe readable.map { unsafe UnsafePointer(strdup($0)) }
    defer { unsafe paths.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
    let files = unsafe martlet_limit_files(&paths, Int32(paths.count))
    guard files == 0 else { throw ConfinementError("cannot limit this process's files", files) }
    try SystemCallFilter.apply(SystemCallRule.rules(channel: channel))
  }

  /// Ends this process with SIGXCPU once it has used that many more seconds of processor time.
  ///
  /// The system counts whole seconds, so that it may be almost one more.
  package static func allowProcessorTime(seconds: Int) {
    let processorTime = __rlimit_resource_t(RLIMIT_CPU.rawValue)
    var usage = rusage()
    var limit = rlimit()
    guard unsafe getrusage(RUSAGE_SELF.rawValue, &usage) == 0,
      unsafe getrlimit(processorTime, &limit) == 0
    else { return }
    let used = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 1
    limit.rlim_cur = rlim_t(used + seconds)
    unsafe setrlimit(processorTime, &limit)
  }
}

/// The reason why a process could not be confined.
package struct ConfinementError: Error, Sendable {
  package let message: String

  init(_ failure: String, _ number: Int32) {
    message = "\(failure): \(unsafe String(cString: strerror(number)))"
  }
}

import CLinux
import Glibc

/// The rights that a process keeps after it has confined itself, before it reads untrusted input.
package struct Confinement: Sendable {
  /// The files and folders that it may read; it may not open any other file, or write to one.
  package var readable: [String]
  /// The number of bytes that it may allocate.
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

  /// Confines this process permanently.
  ///
  /// Call it before the process has a second thread. After that, the process can compute, read files and write to
  /// its channel, and it leaves no core file; any other system call ends it. Files are limited if the kernel has
  /// Landlock, which is in Linux since 5.13.
  ///
  /// - Throws: ``ConfinementError`` if the system refuses; the process must then not continue.
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

  /// Ends this process with SIGXCPU after that many more seconds of processor time.
  ///
  /// The system counts whole seconds, so it may be almost one second more.
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

import CLinux
import Glibc

/// The rights that a process keeps once it has confined itself, before it reads what strangers made.
package struct Confinement: Sendable {
  /// The files and folders that it may read; it may open no other file, and write none.
  package var readable: [String]
  /// How many bytes it may allocate.
  package var memory: Int

  package init(readable: [String], memory: Int) {
    self.readable = readable
    self.memory = memory
  }

  /// Whether the kernel can limit the files that a process opens.
  package static var limitsFiles: Bool { martlet_limits_files() != 0 }

  /// Confines this process for good.
  ///
  /// Call it before the process has a second thread. From then on it has no network, starts no other process
  /// and leaves no core file. Files are limited where the kernel has Landlock, that is, from Linux 5.13 on.
  ///
  /// - Throws: ``SpawnError`` where the system refuses it; the process must then not go on.
  package func apply() throws(SpawnError) {
    for (resource, limit) in [(RLIMIT_DATA, memory), (RLIMIT_CORE, 0)] {
      var value = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
      guard unsafe setrlimit(__rlimit_resource_t(resource.rawValue), &value) == 0 else {
        throw SpawnError("cannot limit this process", errno)
      }
    }
    var paths = unsafe readable.map { unsafe UnsafePointer(strdup($0)) }
    defer { unsafe paths.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
    let result = unsafe martlet_confine(&paths, Int32(paths.count))
    guard result == 0 else { throw SpawnError("cannot confine this process", result) }
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

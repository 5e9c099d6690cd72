import Foundation

/// The kernel's values for this process that Prometheus's client libraries report.
struct ProcessStatus: Hashable, Sendable {
  /// The processor time, in seconds.
  var cpuSeconds = 0.0
  var residentBytes = 0
  var virtualBytes = 0
  var threads = 0
  /// The time of the start, in seconds since 1970.
  var startTime = 0.0
  var openFiles = 0
  /// The limit of open files; `nil` if it is unlimited.
  var fileLimit: Int?

  /// The time at which the machine started, in seconds since 1970.
  ///
  /// It is read only once, because a later correction of the clock would look like a restart.
  ///
  /// `/proc/stat` has it too, but a unit with `ProcSubset=pid` does not see that file.
  private static let bootTime: Double = {
    var (now, sinceBoot) = (timespec(), timespec())
    clock_gettime(CLOCK_REALTIME, &now)
    clock_gettime(CLOCK_BOOTTIME, &sinceBoot)
    return Double(now.tv_sec - sinceBoot.tv_sec)
      + Double(now.tv_nsec - sinceBoot.tv_nsec) / 1_000_000_000
  }()

  /// Reads `/proc/self`; `nil` if that is not possible.
  static func current() -> ProcessStatus? {
    guard let line = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
      var status = ProcessStatus(
        stat: line, bootTime: bootTime, ticks: sysconf(Int32(_SC_CLK_TCK)),
        pageSize: sysconf(Int32(_SC_PAGESIZE)))
    else { return nil }
    status.openFiles =
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
      limit.rlim_cur < UInt(Int.max)
    {
      status.fileLimit = Int(limit.rlim_cur)
    }
    return status
  }

  /// Reads the content of `/proc/self/stat`; see proc(5).
  ///
  /// `ticks` is the number of clock ticks in a second.
  init?(stat: String, bootTime: Double, ticks: Int, pageSize: Int) {
    // The program's name is in parentheses, and may itself contain spaces and parentheses.
    guard ticks > 0, let end = stat.lastIndex(of: ")") else { return nil }
    let fields = stat[stat.index(after: end)...].split(whereSeparator: \.isWhitespace)
    // The first of these fields is the file's third field.
    func number(_ field: Int) -> Int? { fields.count > field - 3 ? Int(fields[field - 3]) : nil }
    guard let user = number(14), let kernel = number(15), let threads = number(20),
      let start = number(22), let virtual = number(23), let pages = number(24)
    else { return nil }
    cpuSeconds = Double(user + kernel) / Double(ticks)
    self.threads = threads
    startTime = bootTime + Double(start) / Double(ticks)
    virtualBytes = virtual
    residentBytes = pages * pageSize
  }

  func write(to text: inout PrometheusText) {
    text.single(
      "process_cpu_seconds_total", .counter, help: "Time on processors, in seconds.",
      value: cpuSeconds)
    let gauges: [(String, String, Int)] = [
      ("process_resident_memory_bytes", "Memory in use.", residentBytes),
      ("process_virtual_memory_bytes", "Address space in use.", virtualBytes),
      ("process_open_fds", "Open files.", openFiles),
      ("process_threads", "Threads.", threads),
    ]
    for (name, help, value) in gauges {
      text.family(name, .gauge, help: help)
      text.sample(name, value)
    }
    if let fileLimit {
      text.family("process_max_fds", .gauge, help: "The most files that may be open.")
      text.sample("process_max_fds", fileLimit)
    }
    text.single(
      "process_start_time_seconds", .gauge, help: "The start, in seconds since 1970.",
      value: startTime)
  }
}

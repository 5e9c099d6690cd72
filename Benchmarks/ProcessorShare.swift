import Foundation

/// The part of one processor that a process may use, as on a small machine of its own: a control group of Linux.
final class ProcessorShare {
  /// How often the share is given anew, so that a process which has used it up waits a few milliseconds only.
  private static let period = Duration.milliseconds(10)

  /// The group of the process without a share.
  private let parent: String
  private let folder: String
  private let process: pid_t

  /// Makes a share for a process, from 0 to 1.
  ///
  /// - Throws: ``Child/Failure`` where this process may make no control groups.
  init(_ share: Double, for process: pid_t) throws {
    let period = Int(Self.period / .microseconds(1))
    let quota = Int(Double(period) * share)
    let first = "/sys/fs/cgroup/cpu"
    let isFirstVersion = FileManager.default.fileExists(atPath: first + "/cpu.cfs_quota_us")
    parent = isFirstVersion ? first : "/sys/fs/cgroup"
    folder = parent + "/martlet-bench-\(process)"
    self.process = process
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      if isFirstVersion {
        try Self.write("\(period)", folder + "/cpu.cfs_period_us")
        try Self.write("\(quota)", folder + "/cpu.cfs_quota_us")
      } else {
        try Self.write("\(quota) \(period)", folder + "/cpu.max")
      }
      try Self.write("\(process)", folder + "/cgroup.procs")
    } catch {
      throw Child.Failure(
        description: "no control group with a share of a processor can be made: \(error)")
    }
  }

  deinit {
    // A group can be removed once it has no process.
    try? Self.write("\(process)", parent + "/cgroup.procs")
    rmdir(folder)
  }

  private static func write(_ text: String, _ file: String) throws {
    let handle = try FileHandle(forWritingTo: URL(filePath: file))
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }
}

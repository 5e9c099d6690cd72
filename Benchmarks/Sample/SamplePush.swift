import FoundationEssentials

/// What every push of the comparison carries, ours and h2load's.
package enum SamplePush {
  package static let token = String(repeating: "0123456789abcdef", count: 4)
  package static let topic = "com.example.app"
  package static let payload: String = {
    let start = #"{"aps":{"alert":{"title":"Title","body":""#
    let end = #""},"mutable-content":1}}"#
    let filling = String(repeating: "x", count: 297 - start.utf8.count - end.utf8.count)
    return start + filling + end
  }()
}

/// What a client says of its pushes.
package struct PushReport: Codable {
  /// From before the client is made, its connection included, to the last answer.
  package var seconds = 0.0
  /// What the process wrote for each push, TLS included.
  package var bytesPerPush = 0.0
  /// Anonymous memory before the first push, after the first 100,000 and after the last.
  package var memoryIdle = 0
  package var memoryEarly = 0
  package var memoryLate = 0

  package init() {}

  /// Reads what a client printed.
  package init(printed: String) throws {
    self = try JSONDecoder().decode(PushReport.self, from: Data(printed.utf8))
  }
}

/// What the kernel tells of processes.
package enum ProcessTable {
  /// The lines of a small file; none where it cannot be read.
  package static func lines(_ path: String) -> [Substring] {
    ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
  }

  /// A process's anonymous memory: what it allocated, without mapped files.
  package static func anonymousMemory(of process: Int32) -> Int {
    let line = lines("/proc/\(process)/status").first { $0.hasPrefix("RssAnon:") }
    let kibibytes = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
    return kibibytes.flatMap { Int($0) }.map { $0 << 10 } ?? 0
  }
}

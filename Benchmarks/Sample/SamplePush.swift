import FoundationEssentials

/// The token, topic and payload of every push of the comparison, ours and h2load's.
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

/// The measurement of one client.
package struct PushReport: Codable {
  /// The time from before the client is made, including its connection, to the last answer.
  package var seconds = 0.0
  /// The bytes that the process wrote for each push, TLS included.
  package var bytesPerPush = 0.0
  /// Anonymous memory in bytes: before the first push, after the first 100,000 and after the last.
  package var memoryIdle = 0
  package var memoryEarly = 0
  package var memoryLate = 0

  package init() {}

  /// Decodes the output of a client.
  package init(printed: String) throws {
    self = try JSONDecoder().decode(PushReport.self, from: Data(printed.utf8))
  }
}

/// The kernel's files about processes.
package enum ProcessTable {
  /// The lines of a small file; empty where it cannot be read.
  package static func lines(_ path: String) -> [Substring] {
    ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
  }

  /// The anonymous memory of a process in bytes, which does not include mapped files.
  package static func anonymousMemory(of process: Int32) -> Int {
    let line = lines("/proc/\(process)/status").first { $0.hasPrefix("RssAnon:") }
    let kibibytes = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
    return kibibytes.flatMap { Int($0) }.map { $0 << 10 } ?? 0
  }

  /// The processor time of a running process in seconds, in user mode and in the kernel.
  package static func processorTime(of process: Int32) -> Double {
    // The name, the second field, may have spaces; times are in hundredths of a second.
    let fields = lines("/proc/\(process)/stat").first?.split(separator: ")").last?
      .split(separator: " ")
    guard let fields, fields.count > 12 else { return .nan }
    return ((Double(fields[11]) ?? .nan) + (Double(fields[12]) ?? .nan)) / 100
  }
}

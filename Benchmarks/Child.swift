import BenchmarkSample
import Foundation
import Synchronization

/// A process, on one processor mostly, whose lines are read and whose memory can be watched.
final class Child {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var buffer = Data()
  private let name: String

  /// `core` is the processor it runs on; on all of them where none is named.
  init(_ command: [String], core: Int? = nil, printsNothing: Bool = false) throws {
    name = command[0]
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["taskset", "-c", core.map { "\($0)" } ?? "0-\(Machine.processors - 1)"] + command
    process.standardInput = input
    process.standardOutput = printsNothing ? FileHandle.nullDevice : output
    if printsNothing { process.standardError = FileHandle.nullDevice }
    try process.run()
  }

  deinit { stop() }

  /// Ends it, if it has not ended.
  func stop() { if process.isRunning { process.terminate() } }

  /// Returns once something takes connections on the port.
  func waitUntilListening(on port: UInt16) throws {
    let port = String(port, radix: 16, uppercase: true)
    let isListening = {
      ProcessTable.lines("/proc/net/tcp").contains {
        $0.contains("0100007F:\(port) 00000000:0000 0A")
      }
    }
    for _ in 0..<500 where process.isRunning {
      if isListening() { return }
      usleep(10_000)
    }
    throw Failure(description: "\(name) does not listen")
  }

  /// How much it is now.
  var anonymousMemory: Int { ProcessTable.anonymousMemory(of: process.processIdentifier) }

  /// Its anonymous memory from now on.
  func watchMemory(every interval: Duration) -> MemoryWatch {
    MemoryWatch(process.processIdentifier, every: interval)
  }

  func tell(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  func readLine() throws -> String {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeSubrange(...end) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Failure(description: "\(name) ended too soon") }
      buffer += more
    }
  }

  /// Waits for its end.
  ///
  /// - Returns: All it printed, and the processor time in seconds that it took.
  /// - Throws: Where it did not exit with 0.
  func finish() throws -> (output: String, processorTime: Double) {
    let before = processorTime(RUSAGE_CHILDREN)
    try input.fileHandleForWriting.close()
    let rest = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "\(name) failed with \(process.terminationStatus)")
    }
    return (
      String(decoding: buffer + rest, as: UTF8.self), processorTime(RUSAGE_CHILDREN) - before
    )
  }
}

/// Looks at a process's anonymous memory again and again: what it allocated, without mapped files.
final class MemoryWatch: Sendable {
  private let peak = Atomic(0)
  private let isOver = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)

  init(_ process: pid_t, every interval: Duration) {
    Thread.detachNewThread { [self] in
      repeat {
        peak.max(ProcessTable.anonymousMemory(of: process), ordering: .relaxed)
        usleep(UInt32(interval / .microseconds(1)))
      } while !isOver.load(ordering: .relaxed)
      ended.signal()
    }
  }

  /// Ends it.
  ///
  /// - Returns: The most it saw, in bytes.
  func stop() -> Int {
    isOver.store(true, ordering: .relaxed)
    ended.wait()
    return peak.load(ordering: .relaxed)
  }
}

/// Seconds of processor time, in user mode and in the kernel.
func processorTime(_ who: __rusage_who) -> Double {
  var usage = rusage()
  getrusage(Int32(who.rawValue), &usage)
  return [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }
    .reduce(0, +)
}

import BenchmarkSample
import Foundation
import Synchronization

/// A child process whose output is read line by line and whose memory can be measured.
final class Child {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The commands that stand for `martlet`, which links jemalloc.
  ///
  /// What an app links is measured with glibc's allocator.
  private static let servers: Set = ["send", "serve", "node", "sandbox", "waits"]

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var buffer = Data()
  private let name: String

  /// `core` is the processor that the process is bound to; `nil` binds it to none.
  init(_ command: [String], core: Int? = nil, printsNothing: Bool = false) throws {
    name = command[0]
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["taskset", "-c", core.map { "\($0)" } ?? "0-\(Machine.processors - 1)"] + command
    if command.dropFirst().first.map(Self.servers.contains) == true {
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["LD_PRELOAD": "libjemalloc.so.2"], uniquingKeysWith: { _, added in added })
    }
    process.standardInput = input
    process.standardOutput = printsNothing ? FileHandle.nullDevice : output
    if printsNothing { process.standardError = FileHandle.nullDevice }
    try process.run()
  }

  deinit { stop() }

  /// Terminates the process if it still runs.
  func stop() { if process.isRunning { process.terminate() } }

  /// Waits until a socket of this machine listens on the port.
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
    throw Failure(description: "\(name) does not listen on its port after 5 s")
  }

  /// The anonymous memory of the process in bytes.
  var anonymousMemory: Int { ProcessTable.anonymousMemory(of: process.processIdentifier) }

  var processID: pid_t { process.processIdentifier }

  /// The processor time until now, in seconds.
  var usedProcessorTime: Double { ProcessTable.processorTime(of: process.processIdentifier) }

  /// Starts measuring the peak of the anonymous memory.
  func watchMemory(every interval: Duration) -> MemoryWatch {
    MemoryWatch(process.processIdentifier, every: interval)
  }

  func writeLine(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  func readLine() throws -> String {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeSubrange(...end) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else {
        throw Failure(description: "\(name) exited before it printed a line")
      }
      buffer += more
    }
  }

  /// Closes the standard input and waits for the exit.
  ///
  /// - Returns: The output that was not read yet, and the processor time in seconds.
  /// - Throws: ``Failure`` where the exit code is not 0.
  func finish() throws -> (output: String, processorTime: Double) {
    let before = processorTime(RUSAGE_CHILDREN)
    try input.fileHandleForWriting.close()
    let rest = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "\(name) exited with code \(process.terminationStatus)")
    }
    return (
      String(decoding: buffer + rest, as: UTF8.self), processorTime(RUSAGE_CHILDREN) - before
    )
  }
}

/// The peak of a process's anonymous memory, which is sampled on a thread; mapped files do not count.
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

  /// Stops sampling.
  ///
  /// - Returns: The peak in bytes.
  func stop() -> Int {
    isOver.store(true, ordering: .relaxed)
    ended.wait()
    return peak.load(ordering: .relaxed)
  }
}

/// The processor time in seconds, in user mode and in the kernel.
func processorTime(_ who: __rusage_who) -> Double {
  var usage = rusage()
  getrusage(Int32(who.rawValue), &usage)
  return [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }
    .reduce(0, +)
}

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
}

/// Seconds of processor time, in user mode and in the kernel.
func processorTime(_ who: __rusage_who) -> Double {
  var usage = rusage()
  getrusage(Int32(who.rawValue), &usage)
  return [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }
    .reduce(0, +)
}

package import Foundation
import Synchronization

private let starting = Mutex(())

/// Starts one process at a time: Foundation's `Process` on Linux traps when several threads start one
/// at once.
package func start(_ process: Process) throws { try starting.withLock { _ in try process.run() } }

/// Runs a program to its end and returns what it printed, from a thread of its own.
package func runProgram(
  _ program: String, _ arguments: [String]
) async -> (status: Int32, output: String) {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = arguments
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = FileHandle.nullDevice
      do { try start(process) } catch {
        return continuation.resume(returning: (-1, "\(error)"))
      }
      let output = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      continuation.resume(
        returning: (process.terminationStatus, String(decoding: output, as: UTF8.self)))
    }
  }
}

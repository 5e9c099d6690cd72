import Foundation
import _Spawn

/// A command of this binary that runs in a separate process.
struct DemoProcess: Sendable {
  private let child: ChildProcess
  private let words: String

  /// Starts `martlet` with these arguments.
  init(_ arguments: [String]) throws {
    words = "martlet " + (arguments.first ?? "")
    do {
      let file = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      child = try ChildProcess(file, arguments)
    } catch {
      throw CommandFailure("cannot start \(words): \(error.sentence)", cause: error)
    }
  }

  /// Runs a command to its end and returns its output.
  static func output(_ arguments: [String]) async throws -> String {
    let process = try DemoProcess(arguments)
    var lines: [String] = []
    for await line in process.child.lines { lines.append(line) }
    guard await process.child.wait() == 0 else {
      throw CommandFailure("\(process.words) failed; see its message above")
    }
    return lines.joined(separator: "\n")
  }

  /// The rest of the next output line that begins with a prefix.
  func line(after prefix: String) async throws -> String {
    for await line in child.lines where line.hasPrefix(prefix) {
      return String(line.dropFirst(prefix.count))
    }
    throw CommandFailure("\(words) ended before it was ready; see its message above")
  }

  /// Sends SIGTERM and waits until the process has ended.
  func stop() async {
    child.signal(SIGTERM)
    _ = await child.wait()
  }
}

import Foundation
import _Spawn

/// One of this binary's own commands, run as anybody would run it.
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
      throw CommandFailure("cannot start \(words): \(error)", cause: error)
    }
  }

  /// Runs a command to its end and returns what it printed.
  static func output(_ arguments: [String]) async throws -> String {
    let process = try DemoProcess(arguments)
    var lines: [String] = []
    for await line in process.child.lines { lines.append(line) }
    guard await process.child.wait() == 0 else {
      throw CommandFailure("\(process.words) failed; its message stands above")
    }
    return lines.joined(separator: "\n")
  }

  /// The rest of the next line that begins so.
  func line(after prefix: String) async throws -> String {
    for await line in child.lines where line.hasPrefix(prefix) {
      return String(line.dropFirst(prefix.count))
    }
    throw CommandFailure("\(words) ended before it was ready; its message stands above")
  }

  /// Asks it to end, and waits until it has.
  func stop() async {
    child.signal(SIGTERM)
    _ = await child.wait()
  }
}

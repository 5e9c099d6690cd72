import Foundation
import TestSupport
import _Spawn

/// A process of the built program.
final class ServeProcess: Sendable {
  private let child: ChildProcess

  var identifier: Int32 { child.identifier }

  /// Starts `martlet serve` on a free port.
  ///
  /// - Parameter limit: A shell command that runs before the program takes the shell's place.
  init(_ options: [String], under limit: String? = nil) throws {
    let program = BuiltProgram.martlet
    let line = [program, "serve", "--listen", "127.0.0.1:0"] + options
    child = try ChildProcess(
      "/usr/bin/env", ["sh", "-c", (limit.map { $0 + "; " } ?? "") + #"exec "$@""#, "sh"] + line,
      keepsErrors: false)
  }

  /// Waits until the server listens; returns its URL, or `nil` where it ended before.
  func url() async -> String? {
    let prefix = "listening on "
    return await line { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
  }

  /// Waits for a line of output; returns `nil` where the server ended before it came.
  func line(where isWanted: (String) -> Bool) async -> String? {
    for await line in child.lines where isWanted(line) { return line }
    return nil
  }

  deinit { kill() }

  func kill() { child.signal(SIGKILL) }

  func ended() async { _ = await child.wait() }

  /// Sends SIGTERM and returns the exit status.
  func terminate() async -> Int32 {
    child.signal(SIGTERM)
    return await child.wait()
  }
}

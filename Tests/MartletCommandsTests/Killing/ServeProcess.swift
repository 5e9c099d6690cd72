import Foundation
import _Spawn

/// A process of the built program.
final class ServeProcess: Sendable {
  private let child: ChildProcess

  var identifier: Int32 { child.identifier }

  /// Starts the program from a shell, which runs `limit` first.
  init(_ options: [String], under limit: String? = nil) throws {
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "martlet").path()
    let line = [program, "serve", "--listen", "127.0.0.1:0"] + options
    child = try ChildProcess(
      "/usr/bin/env", ["sh", "-c", (limit.map { $0 + "; " } ?? "") + #"exec "$@""#, "sh"] + line,
      keepsErrors: false)
  }

  /// The URL that it listens on; `nil` where it ended before it listened.
  func url() async -> String? {
    let prefix = "listening on "
    for await line in child.lines where line.hasPrefix(prefix) {
      return String(line.dropFirst(prefix.count))
    }
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

import Foundation
import Synchronization

/// One of this binary's own commands, run as anybody would run it.
final class DemoProcess: Sendable {
  private let identifier: Int32
  private let lines: AsyncStream<String>
  private let ended: AsyncStream<Void>
  private let words: String

  private init(_ arguments: [String]) throws {
    words = "martlet " + arguments.prefix(1).joined()
    let process = Process()
    process.executableURL = try Self.executable()
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    let (ended, end) = AsyncStream<Void>.makeStream()
    let (lines, line) = AsyncStream<String>.makeStream()
    self.ended = ended
    self.lines = lines
    process.terminationHandler = { _ in end.finish() }
    do { try process.run() } catch {
      throw CommandFailure("cannot start \(words)", cause: error)
    }
    identifier = process.processIdentifier
    let handle = output.fileHandleForReading
    Thread.detachNewThread {
      var rest = Data()
      while case let data = handle.availableData, !data.isEmpty {
        rest.append(data)
        while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
          line.yield(String(decoding: rest[..<newline], as: UTF8.self))
          rest = Data(rest[rest.index(after: newline)...])
        }
      }
      line.finish()
    }
  }

  static func start(_ arguments: [String]) async throws -> DemoProcess {
    try DemoProcess(arguments)
  }

  /// Runs a command to its end.
  static func output(_ arguments: [String]) async throws -> String {
    let process = try DemoProcess(arguments)
    var output: [String] = []
    for await line in process.lines { output.append(line) }
    return output.joined(separator: "\n")
  }

  /// The rest of the next line that begins so.
  func line(after prefix: String) async throws -> String {
    for await line in lines where line.hasPrefix(prefix) {
      return String(line.dropFirst(prefix.count))
    }
    throw CommandFailure("\(words) ended before it was ready; its message stands above")
  }

  /// Asks it to end, and waits until it has.
  func stop() async {
    kill(identifier, SIGTERM)
    for await _ in ended {}
  }

  private static func executable() throws -> URL {
    do {
      return URL(
        fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      )
    } catch {
      throw CommandFailure("cannot find this program's own file in /proc/self/exe", cause: error)
    }
  }
}

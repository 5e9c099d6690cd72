import Foundation
import Synchronization

@testable import MartletCommands

/// A console that records the output of a command.
final class RecordingConsole: Sendable {
  private let lines = Mutex<(out: [String], err: [String])>(([], []))
  private let input: String
  private let environment: [String: String]

  init(input: String = "", environment: [String: String] = [:]) {
    self.input = input
    self.environment = environment
  }

  var output: [String] { lines.withLock { $0.out } }
  var errors: [String] { lines.withLock { $0.err } }
  /// What was printed, whether a text of many lines is one of `output`, or each of its lines as from another process.
  var text: String { output.joined(separator: "\n") }

  var console: Console {
    Console(
      environment: environment, print: { line in self.lines.withLock { $0.out.append(line) } },
      printError: { line in self.lines.withLock { $0.err.append(line) } },
      readInput: { Data(self.input.utf8).prefix($0) }, readLine: { nil }, isTerminal: false,
      terminations: { AsyncStream { $0.yield() } })
  }

  func run(_ line: String...) async -> ExitCode { await runMartlet(line, console) }
}

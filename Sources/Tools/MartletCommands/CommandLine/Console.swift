package import Foundation

/// The streams, the environment and the signals that a command uses.
package struct Console: Sendable {
  package var environment: [String: String]
  /// Writes a line to standard output and flushes it, so that a script can read it immediately.
  package var print: @Sendable (String) -> Void
  /// Writes to standard error.
  package var printError: @Sendable (String) -> Void
  /// Reads standard input to its end, or up to the limit in bytes.
  package var readInput: @Sendable (_ limit: Int) throws -> Data
  /// Reads one line of standard input, for a command that waits for a person.
  package var readLine: @Sendable () -> String?
  package var isTerminal: Bool
  /// Handles SIGTERM and SIGINT after it returns; each signal is an element of the stream.
  ///
  /// A command calls this before it reports that it is ready, so that no signal arrives too early.
  package var terminations: @Sendable () async -> AsyncStream<Void>
  /// Handles SIGHUP after it returns; each signal is an element of the stream.
  package var reloads: @Sendable () async -> AsyncStream<Void>
  /// Whether writing a line to standard output failed.
  package var hasLostOutput: @Sendable () -> Bool

  package init(
    environment: [String: String],
    print: @escaping @Sendable (String) -> Void,
    printError: @escaping @Sendable (String) -> Void,
    readInput: @escaping @Sendable (_ limit: Int) throws -> Data,
    readLine: @escaping @Sendable () -> String?,
    isTerminal: Bool,
    terminations: @escaping @Sendable () async -> AsyncStream<Void>,
    reloads: @escaping @Sendable () async -> AsyncStream<Void> = { AsyncStream { $0.finish() } },
    hasLostOutput: @escaping @Sendable () -> Bool = { false }
  ) {
    self.environment = environment
    self.print = print
    self.printError = printError
    self.readInput = readInput
    self.readLine = readLine
    self.isTerminal = isTerminal
    self.terminations = terminations
    self.reloads = reloads
    self.hasLostOutput = hasLostOutput
  }

  /// Returns when the process receives SIGTERM or SIGINT, or when the task is cancelled.
  func untilTerminated() async {
    for await _ in await terminations() { return }
  }

  /// Writes the reason for which a command waits to standard error.
  func reportWait(_ what: String) { printError("martlet: " + what) }
}

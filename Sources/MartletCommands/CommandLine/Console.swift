package import Foundation

/// The streams, the environment and the signals that a command uses.
package struct Console: Sendable {
  package var environment: [String: String]
  /// Writes to standard output and flushes, so that a script reads each line at once.
  package var print: @Sendable (String) -> Void
  /// Writes to standard error.
  package var printError: @Sendable (String) -> Void
  /// Reads standard input to its end, or to the limit in bytes.
  package var readInput: @Sendable (_ limit: Int) throws -> Data
  /// Reads one line of standard input, for a command that waits for a person.
  package var readLine: @Sendable () -> String?
  package var isTerminal: Bool
  /// Returns when the process receives SIGTERM or SIGINT.
  package var untilTerminated: @Sendable () async -> Void
  /// Calls a function each time the process receives SIGHUP, until the task is cancelled.
  package var onReload: @Sendable (_ reload: @escaping @Sendable () -> Void) async -> Void
  /// Whether writing a line to standard output failed.
  package var hasLostOutput: @Sendable () -> Bool

  package init(
    environment: [String: String],
    print: @escaping @Sendable (String) -> Void,
    printError: @escaping @Sendable (String) -> Void,
    readInput: @escaping @Sendable (_ limit: Int) throws -> Data,
    readLine: @escaping @Sendable () -> String?,
    isTerminal: Bool,
    untilTerminated: @escaping @Sendable () async -> Void,
    onReload: @escaping @Sendable (@escaping @Sendable () -> Void) async -> Void = { _ in },
    hasLostOutput: @escaping @Sendable () -> Bool = { false }
  ) {
    self.environment = environment
    self.print = print
    self.printError = printError
    self.readInput = readInput
    self.readLine = readLine
    self.isTerminal = isTerminal
    self.untilTerminated = untilTerminated
    self.onReload = onReload
    self.hasLostOutput = hasLostOutput
  }

  /// Writes what a command waits for to standard error.
  func reportWait(_ what: String) { printError("martlet: " + what) }
}

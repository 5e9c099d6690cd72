package import Foundation

/// The world as a command sees it: streams, environment, signals.
package struct Console: Sendable {
  package var environment: [String: String]
  /// Writes to standard output and flushes, so that a script reads each line at once.
  package var print: @Sendable (String) -> Void
  /// Writes to standard error.
  package var printError: @Sendable (String) -> Void
  /// Standard input to its end, or as many bytes as are asked for.
  package var readInput: @Sendable (_ limit: Int) throws -> Data
  /// One line of standard input, for a command that waits for a person.
  package var readLine: @Sendable () -> String?
  package var isTerminal: Bool
  /// Returns when the process is asked to end (SIGTERM, SIGINT).
  package var untilTerminated: @Sendable () async -> Void
  /// Whether a line printed to standard output did not arrive there.
  package var hasLostOutput: @Sendable () -> Bool

  package init(
    environment: [String: String],
    print: @escaping @Sendable (String) -> Void,
    printError: @escaping @Sendable (String) -> Void,
    readInput: @escaping @Sendable (_ limit: Int) throws -> Data,
    readLine: @escaping @Sendable () -> String?,
    isTerminal: Bool,
    untilTerminated: @escaping @Sendable () async -> Void,
    hasLostOutput: @escaping @Sendable () -> Bool = { false }
  ) {
    self.environment = environment
    self.print = print
    self.printError = printError
    self.readInput = readInput
    self.readLine = readLine
    self.isTerminal = isTerminal
    self.untilTerminated = untilTerminated
    self.hasLostOutput = hasLostOutput
  }
}

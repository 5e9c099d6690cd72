package import Foundation

/// The world as a command sees it: streams, environment, signals.
package struct Console: Sendable {
  package var environment: [String: String]
  /// Writes to standard output and flushes, so that a script reads each line at once.
  package var print: @Sendable (String) -> Void
  /// Writes to standard error.
  package var printError: @Sendable (String) -> Void
  /// All of standard input.
  package var readInput: @Sendable () throws -> Data
  /// One line of standard input, for a command that waits for a person.
  package var readLine: @Sendable () -> String?
  package var isTerminal: Bool
  /// Returns when the process is asked to end (SIGTERM, SIGINT).
  package var untilTerminated: @Sendable () async -> Void

  package init(
    environment: [String: String],
    print: @escaping @Sendable (String) -> Void,
    printError: @escaping @Sendable (String) -> Void,
    readInput: @escaping @Sendable () throws -> Data,
    readLine: @escaping @Sendable () -> String?,
    isTerminal: Bool,
    untilTerminated: @escaping @Sendable () async -> Void
  ) {
    self.environment = environment
    self.print = print
    self.printError = printError
    self.readInput = readInput
    self.readLine = readLine
    self.isTerminal = isTerminal
    self.untilTerminated = untilTerminated
  }
}

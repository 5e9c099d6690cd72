/// One verb of `martlet`: its words, its options and what it does.
///
/// A command is made from parsed arguments, which is where a wrong command line shows, and then run
/// with a console, so a test runs it as a value.
package protocol Command: Sendable {
  /// The words that name it: `simulate`, `apps create`.
  static var name: String { get }
  /// One line for the list of commands.
  static var summary: String { get }
  /// What may follow the options, as usage shows it: `PAYLOAD.json…`; empty if nothing may.
  static var operands: String { get }
  static var options: [Option] { get }

  /// - Throws: ``UsageError`` where the command line is wrong.
  init(_ arguments: Arguments) throws
  /// - Throws: ``CommandFailure`` (or any error) where the world refused.
  func run(_ console: Console) async throws -> ExitCode
}

extension Command {
  package static var operands: String { "" }
}

/// What a process says by ending.
package enum ExitCode: Int32, Sendable {
  case yes = 0
  /// Findings, or the world refused.
  case no = 1
  /// The command line itself is wrong.
  case usedWrongly = 2
}

/// The command line is wrong: which option, and what it takes.
package struct UsageError: Error, Sendable, CustomStringConvertible {
  package var message: String
  package init(_ message: String) { self.message = message }
  package var description: String { message }
}

/// The world refused: one line that says what, and the cure.
package struct CommandFailure: Error, Sendable, CustomStringConvertible {
  package var message: String
  package var cause: (any Error)?
  package init(_ message: String, cause: (any Error)? = nil) {
    self.message = message
    self.cause = cause
  }
  package var description: String { message }
}

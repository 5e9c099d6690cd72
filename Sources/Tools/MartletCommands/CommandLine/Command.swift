/// A command of `martlet`: its words, its options, its operands and what it does.
///
/// A command is made from parsed arguments, which is where a wrong command line shows, and then run
/// with a console, so that a test runs it as a value.
package protocol Command: Sendable {
  /// The words that name it: `simulate`, `apps create`.
  static var name: String { get }
  /// One line for the list of commands, without a full stop.
  static var summary: String { get }
  /// What its help says beyond the summary, in paragraphs; empty where the summary says it all.
  static var discussion: String { get }
  /// What may follow the options; `nil` where nothing may.
  static var operand: Operand? { get }
  static var options: [any CommandOption] { get }
  /// What each exit code means.
  static var exitCodes: [ExitCode: String] { get }

  /// - Throws: ``UsageError`` where the command line is wrong.
  init(_ arguments: Arguments) throws
  /// - Throws: ``CommandFailure`` (or any error) where the command could not do its work.
  func run(_ console: Console) async throws -> ExitCode
}

extension Command {
  package static var discussion: String { "" }
  package static var operand: Operand? { nil }
  package static var options: [any CommandOption] { [] }
  package static var exitCodes: [ExitCode: String] {
    [
      .success: "done", .failure: "failed, as one line on standard error says",
      .invalidInput: "the command line is wrong",
    ]
  }
}

/// A command that reports findings in its inputs, so that its exit code tells a finding from a
/// failure.
package protocol CheckingCommand: Command {}

extension CheckingCommand {
  package static var exitCodes: [ExitCode: String] {
    [
      .success: "nothing found", .failure: "something found",
      .invalidInput: "could not be done: the command line is wrong, or an input cannot be read",
    ]
  }
}

/// The exit code of the process.
package enum ExitCode: Int32, Sendable, Comparable {
  case success = 0
  /// The command failed, or found something.
  case failure = 1
  /// The command line is wrong; of a ``CheckingCommand`` also that an input cannot be read.
  case invalidInput = 2

  package static func < (one: ExitCode, other: ExitCode) -> Bool { one.rawValue < other.rawValue }
}

/// An error in the command line: which option, and what it takes.
package struct UsageError: Error, Sendable, CustomStringConvertible {
  package var message: String
  package init(_ message: String) { self.message = message }
  package var description: String { message }
}

/// A failure of a command: one line that says what failed and what to do.
package struct CommandFailure: Error, Sendable, CustomStringConvertible {
  package var message: String
  package var cause: (any Error)?
  package init(_ message: String, cause: (any Error)? = nil) {
    self.message = message
    self.cause = cause
  }
  package var description: String { message }
}

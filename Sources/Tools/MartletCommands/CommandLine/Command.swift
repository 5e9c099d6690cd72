/// A command of `martlet`: its words, its options, its operands and its work.
///
/// A command is made from parsed arguments, which detects a wrong command line, and is then run
/// with a console, so that tests can run it as a value.
package protocol Command: Sendable {
  /// The words of the command, such as `simulate` or `apps create`.
  static var name: String { get }
  /// One line for the list of commands, without a full stop.
  static var summary: String { get }
  /// The help in addition to the summary, in paragraphs; empty if the summary is sufficient.
  static var discussion: String { get }
  /// The operand after the options; `nil` if the command takes none.
  static var operand: Operand? { get }
  static var options: [any CommandOption] { get }
  /// The meaning of each exit code.
  static var exitCodes: [ExitCode: String] { get }

  /// - Throws: ``UsageError`` if the command line is wrong.
  init(_ arguments: Arguments) throws
  /// - Throws: ``CommandFailure`` (or another error) if the command could not do its work.
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

/// A command that reports findings in its inputs, and whose exit code distinguishes a finding from
/// a failure.
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
  /// The command line is wrong, or an input of a ``CheckingCommand`` cannot be read.
  case invalidInput = 2

  package static func < (one: ExitCode, other: ExitCode) -> Bool { one.rawValue < other.rawValue }
}

/// An error in the command line, with the option and the values that it takes.
package struct UsageError: Error, Sendable, CustomStringConvertible {
  package var message: String
  package init(_ message: String) { self.message = message }
  package var description: String { message }
}

/// A failure of a command: one line with the problem and what to do.
package struct CommandFailure: Error, Sendable, CustomStringConvertible {
  package var message: String
  package var cause: (any Error)?
  package init(_ message: String, cause: (any Error)? = nil) {
    self.message = message
    self.cause = cause
  }
  package var description: String { message }
}

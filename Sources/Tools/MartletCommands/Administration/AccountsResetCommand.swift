import PushModel
import PushServer

/// `martlet accounts reset`: makes a link with which a person chooses a new password.
struct AccountsResetCommand: Command {
  static let name = "accounts reset"
  static let summary = "make a link with which a person chooses a new password"
  static let discussion = """
    The old password works until the link is used; then the person's sessions end. Links that were
    made before work no longer.
    """
  static let operand: Operand? = AccountsOptions.operand

  enum Options {
    static let secondFactor = Option(
      flag: "--second-factor",
      help: "also turn the second factor off, for who has lost the phone and the recovery codes")
  }

  static let options: [any CommandOption] =
    [Options.secondFactor, ServeSettings.Options.publicURL] + AccountsOptions.all

  private let arguments: Arguments
  private let email: EmailAddress

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments)
    email = try AccountsOptions.email(arguments)
  }

  func run(_ console: Console) async throws -> ExitCode {
    let store = try await DataDirectory(arguments).openStore(for: console)
    let account = try await AccountsOptions.account(email, in: store)
    if arguments[Options.secondFactor] {
      try await store.traced("second_factor.remove", account.id)
        .setSecondFactor(nil, of: account.id)
    }
    guard
      let path = try await store.traced("account.link", account.id)
        .newLink(for: account, by: .commandLine, at: ServerClock.system.now())
    else { throw CommandFailure("the account \(email.text) was removed meanwhile") }
    try AccountsOptions.print(path, of: account, arguments, to: console)
    return .success
  }
}

import PushModel
import PushServer

/// `martlet accounts invite`: makes an account and a link with which its person chooses a password.
struct AccountsInviteCommand: Command {
  static let name = "accounts invite"
  static let summary = "invite a person to the dashboard by a link, which is printed once"
  static let discussion = """
    No mail is sent: give the link to the person. It works once, for three days. A person who has
    an account already gets the role, and no link.
    """
  static let operand: Operand? = AccountsOptions.operand

  enum Options {
    static let name = Option("--name", .text("NAME"), help: "the person's name")
  }

  static let options: [any CommandOption] =
    [
      AccountsOptions.role, AccountsOptions.app, Options.name, ServeSettings.Options.publicURL,
    ] + AccountsOptions.all

  private let arguments: Arguments
  private let email: EmailAddress
  private let grant: Account.Grant
  private let personName: String

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments)
    email = try AccountsOptions.email(arguments)
    grant = Account.Grant(
      try arguments[AccountsOptions.role], app: try arguments[AccountsOptions.app])
    personName = try arguments[Options.name] ?? ""
    if !personName.isEmpty,
      let problem = DisplayText.problem(personName, upTo: Account.nameLimit)
    {
      throw UsageError("--name \(problem)")
    }
  }

  func run(_ console: Console) async throws -> ExitCode {
    let store = try await DataDirectory(arguments).openStore(for: console)
    if let app = grant.app { _ = try await store.requiredApp(app) }
    let (account, path) = try await store.traced("account.invite", email.text, app: grant.app)
      .invite(email, name: personName, grant: grant, by: .commandLine, at: ServerClock.system.now())
    try AccountsOptions.print(path, of: account, arguments, to: console)
    return .success
  }
}

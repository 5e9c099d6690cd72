import PushModel
import PushPayload
import PushServer

/// `martlet accounts remove`: removes a person's account, or one of its roles.
struct AccountsRemoveCommand: Command {
  static let name = "accounts remove"
  static let summary = "remove a person's account, or with --app the role in an app"
  static let operand: Operand? = AccountsOptions.operand

  enum Options {
    static let app = Option(
      "--app", .text("ID"), help: "the app in which the person has no role any more")
  }

  static let options: [any CommandOption] = [Options.app] + AccountsOptions.all

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
    if let app = try arguments[Options.app] {
      guard account.grants.contains(where: { $0.app == app }) else {
        throw CommandFailure("\(email.text) has no role in the app \(app)")
      }
      _ = try await store.traced("account.role", account.id, app: app)
        .setRole(
          nil, app: app, of: account.id, by: .commandLine, at: ServerClock.system.now())
    } else {
      _ = try await store.traced("account.remove", account.id).removeAccount(account.id)
    }
    console.print(arguments[CommonOptions.json] ? account.answer.line : "removed \(email.text)")
    return .success
  }
}

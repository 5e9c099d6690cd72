import PushModel
import PushPayload
import PushServer

/// The options that account commands share; the commands work on the store, even while `serve` is running.
enum AccountsOptions {
  static let role = Option(
    required: "--role", roleForm, help: "what the person may do; each role may do more")
  static let app = Option(
    "--app", .text("ID"), help: "the app in which the person has the role (default all apps)")
  static let operand = Operand("EMAIL", .one, help: "the person's email address")
  static let all: [any CommandOption] = DataDirectory.Options.all + [CommonOptions.json]

  private static let roles = Account.Role.allCases.map(\.rawValue)
  private static let roleForm = ValueForm<Account.Role>(
    roles.joined(separator: "|"), takes: "viewer, author, approver or admin",
    completion: .words(roles)
  ) { Account.Role(rawValue: $0) }

  static func email(_ arguments: Arguments) throws(UsageError) -> EmailAddress {
    guard let email = EmailAddress(arguments.operands[0]) else {
      throw UsageError("EMAIL must be an address such as ada@example.com, in ASCII")
    }
    return email
  }

  /// The account with an email address from the command line.
  static func account(
    _ email: EmailAddress, in store: any PushStore
  ) async throws -> Account {
    guard let account = try await store.account(email: email.text) else {
      throw CommandFailure(
        "there is no account \(email.text); martlet accounts list names them")
    }
    return account
  }

  /// Prints a link, and the person for whom it is.
  static func print(
    _ path: String?, of account: Account, _ arguments: Arguments, to console: Console
  ) throws {
    let base = try arguments[ServeSettings.Options.publicURL] ?? "http://127.0.0.1:8080"
    let link = path.map { base + $0 }
    guard arguments[CommonOptions.json] else {
      return console.print(link ?? "\(account.email) has an account, and has the role now")
    }
    console.print(
      JSONValue.object([
        "id": .string(account.id), "email": .string(account.email),
        "link": link.map(JSONValue.string) ?? .null,
      ]).line)
  }
}

import Foundation
import PushPayload
import PushServer
import PushStore

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
    let store = try await DataDirectory(arguments).openStore()
    if let app = grant.app { _ = try await store.requiredApp(app) }
    let (account, path) = try await store.traced("account.invite", email.text, app: grant.app)
      .invite(email, name: personName, grant: grant, by: .commandLine, at: ServerClock.system.now())
    try AccountsOptions.print(path, of: account, arguments, to: console)
    return .success
  }
}

/// `martlet accounts list`: lists the people, their roles, and their ways of signing in.
struct AccountsListCommand: Command {
  static let name = "accounts list"
  static let summary = "list the people who use the dashboard"
  static let options: [any CommandOption] = AccountsOptions.all

  private let arguments: Arguments

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments)
  }

  func run(_ console: Console) async throws -> ExitCode {
    let store = try await DataDirectory(arguments).openStore()
    let accounts = try await store.accounts().map(\.answer)
    if arguments[CommonOptions.json] {
      console.print(JSONValue.array(accounts).line)
    } else {
      for account in accounts {
        let roles = (account["roles"]?.array ?? []).map { role in
          "\(role["role"]?.string ?? "") of \(role["app"]?.string ?? "all apps")"
        }
        let words =
          [account["email"]?.string ?? "", account["name"]?.string ?? ""] + roles
          + [
            account["invited"]?.bool == true ? "invited" : nil,
            account["second_factor"]?.bool == true ? "second factor" : nil,
          ].compactMap(\.self)
        console.print(words.filter { !$0.isEmpty }.joined(separator: "  "))
      }
    }
    return .success
  }
}

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
    let store = try await DataDirectory(arguments).openStore()
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
    let store = try await DataDirectory(arguments).openStore()
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

extension Account {
  /// The account without its secrets.
  fileprivate var answer: JSONValue {
    [
      "id": .string(id), "email": .string(email), "name": .string(name),
      "roles": .array(
        grants.map {
          ["role": .string($0.role.rawValue), "app": $0.app.map(JSONValue.string) ?? .null]
        }),
      "invited": .bool(hasNotJoined), "second_factor": .bool(secondFactor != nil),
      "created_at": .string(createdAt.iso8601),
    ]
  }
}

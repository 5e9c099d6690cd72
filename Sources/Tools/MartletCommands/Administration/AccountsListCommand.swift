import PushModel
import PushPayload
import PushServer

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
    let store = try await DataDirectory(arguments).openStore(for: console)
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

extension Account {
  /// The account without its secrets.
  var answer: JSONValue {
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

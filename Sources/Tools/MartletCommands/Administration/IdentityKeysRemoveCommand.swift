import PushModel
import PushPayload
import PushServer

/// `martlet identity-keys remove`: removes an identity key, which then verifies no more tokens.
struct IdentityKeysRemoveCommand: Command {
  static let name = "identity-keys remove"
  static let summary = "remove a public key, named by its id"
  static let operand: Operand? = Operand(
    "ID", .one, help: "the id of the key; martlet identity-keys list prints it")
  static let options = IdentityKeysListCommand.options

  private let arguments: Arguments
  private let app: String

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments)
    app = try arguments[IdentityKeysAddCommand.Options.app]
  }

  func run(_ console: Console) async throws -> ExitCode {
    let id = arguments.operands[0]
    let answer: JSONValue
    if let server = try ServerClient(arguments, console) {
      let path = ServerClient.identityKeys(of: app) + "/" + ServerClient.escaped(id)
      answer = try await server.request("DELETE", path)["identity_key"] ?? .null
    } else {
      let store = try await DataDirectory(arguments).openStore(for: console)
      _ = try await store.requiredApp(app)
      guard let key = try await store.identityKeys(app: app).first(where: { $0.id == id }),
        try await store.traced(IdentityKey.removal, id, app: app).removeIdentityKey(id, app: app)
      else {
        throw CommandFailure(
          "there is no identity key \(id); martlet identity-keys list --app \(app) names them")
      }
      answer = key.answer
    }
    console.print(arguments[CommonOptions.json] ? answer.line : "removed \(id)")
    return .success
  }
}

import PushModel
import PushPayload
import PushServer

/// `martlet identity-keys list`: lists the identity keys of an app.
struct IdentityKeysListCommand: Command {
  static let name = "identity-keys list"
  static let summary = "list the public keys that verify the app's user tokens"
  static let options: [any CommandOption] =
    [IdentityKeysAddCommand.Options.app] + ServerClient.Options.withStore

  private let arguments: Arguments
  private let app: String

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments)
    app = try arguments[IdentityKeysAddCommand.Options.app]
  }

  func run(_ console: Console) async throws -> ExitCode {
    let keys: [JSONValue]
    if let server = try ServerClient(arguments, console) {
      let answer = try await server.request("GET", ServerClient.identityKeys(of: app))
      keys = answer["identity_keys"]?.array ?? []
    } else {
      let store = try await DataDirectory(arguments).openStore(for: console)
      _ = try await store.requiredApp(app)
      keys = try await store.identityKeys(app: app).map(\.answer)
    }
    if arguments[CommonOptions.json] {
      console.print(JSONValue.array(keys).line)
    } else {
      for key in keys {
        let parts = [key["id"]?.string, key["created_at"]?.string, key.expiryText]
        console.print(parts.compactMap { $0 }.joined(separator: "  "))
        console.print(key["public_key"]?.string ?? "")
      }
    }
    return .success
  }
}

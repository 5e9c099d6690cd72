import PushModel
import PushPayload
import PushServer

/// `martlet keys revoke`: makes a key invalid.
struct KeysRevokeCommand: Command {
  static let name = "keys revoke"
  static let summary = "revoke a key, named by its id"
  static let operand: Operand? = Operand(
    "ID", .one, help: "the id of the key; martlet keys list prints it")

  enum Options {
    static let app = Option(
      "--app", .text("ID"), help: "the app of the key (default any app, or the server)")
  }

  static let options: [any CommandOption] =
    [Options.app] + ServerClient.Options.withStore

  private let arguments: Arguments
  private let id: String

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments)
    id = arguments.operands[0]
  }

  func run(_ console: Console) async throws -> ExitCode {
    let key: JSONValue?
    if let server = try ServerClient(arguments, console) {
      key = try await revoke(on: server)
    } else {
      key = try await revoke(in: DataDirectory(arguments).openStore(for: console))
    }
    guard let key else {
      throw CommandFailure(
        "there is no key \(id); martlet keys list, with or without --app ID, names them")
    }
    console.print(arguments[CommonOptions.json] ? key.line : "revoked \(id)")
    return .success
  }

  private func revoke(on server: ServerClient) async throws -> JSONValue? {
    if let app = try arguments[Options.app] {
      return try await server.request("DELETE", path(app) + "/" + ServerClient.escaped(id))["key"]
    }
    // The lists of keys are not read, because a damaged one would prevent the revocation.
    for app in try await server.request("GET", "/v6/apps")["apps"]?.array ?? [] {
      let path = path(app["id"]?.string ?? "") + "/" + ServerClient.escaped(id)
      if let deleted = try await server.deletion(of: path) { return deleted["key"] }
    }
    return nil
  }

  private func path(_ app: String) -> String { "/v6/apps/\(ServerClient.escaped(app))/keys" }

  private func revoke(in store: any PushStore) async throws -> JSONValue? {
    let apps: [String?]
    if let named = try arguments[Options.app] {
      apps = [named]
    } else {
      apps = [nil] + (try await store.apps().map(\.id))
    }
    for app in apps {
      let key = try await Router.deletedObject(id) {
        try await store.keys(app: app).first { $0.id == id }?.answer
      }
      let traced = store.traced("key.revoke", id, app: app)
      if let key, try await traced.revokeKey(id, app: app) { return key }
    }
    return nil
  }
}

import PushModel
import PushPayload
import PushServer

/// `martlet apps delete`: removes an app with its devices, sends and keys.
struct AppsDeleteCommand: Command {
  static let name = "apps delete"
  static let summary = "remove an app, its devices and all it has sent, for good"
  static let operand: Operand? = Operand(
    "ID", .one, help: "the id of the app; martlet apps list prints it")
  static let options = ServerClient.Options.withStore

  private let arguments: Arguments
  private let id: String

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments)
    id = arguments.operands[0]
  }

  func run(_ console: Console) async throws -> ExitCode {
    let app: JSONValue
    if let server = try ServerClient(arguments, console) {
      let path = "/v6/apps/\(ServerClient.escaped(id))"
      app = try await server.request("DELETE", path)["app"] ?? .null
    } else {
      let store = try await DataDirectory(arguments).openStore(for: console)
      app = try await store.requiredApp(id).answer
      _ = try await store.traced("app.delete", id).deleteApp(id)
    }
    console.print(arguments[CommonOptions.json] ? app.line : "deleted \(app["id"]?.string ?? id)")
    return .success
  }
}

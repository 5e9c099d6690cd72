import PushPayload
import PushServer
import PushStore

/// `martlet keys create`: another key for an app.
struct KeysCreateCommand: Command {
  static let name = "keys create"
  static let summary = "make a key for an app and print it, once"
  static let roles = [APIKey.Role.push, .analytics, .device, .admin]
  static let options =
    [
      Option("--app", "ID", help: "the app"),
      Option("--role", "push|analytics|device|admin", help: "what the key may do"),
    ] + DataDirectory.options + ServerClient.options + [.json]

  private let arguments: Arguments
  private let app: String
  private let role: APIKey.Role

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments, isFromCommandLine: true)
    app = try arguments.required("--app")
    let word = try arguments.required("--role")
    guard let role = Self.roles.first(where: { $0.rawValue == word }) else {
      throw UsageError("--role takes push, analytics, device or admin, not \"\(word)\"")
    }
    self.role = role
  }

  func run(_ console: Console) async throws -> ExitCode {
    var arguments = arguments
    try arguments.fallBack(environment: console.environment)
    let result: JSONValue
    if let server = try ServerClient(arguments, console) {
      let body: JSONValue = ["key": ["role": .string(role.rawValue)]]
      let answer = try await server.request(
        "POST", "/v6/apps/\(app)/keys", body: body.serialized())
      result = answer["key"] ?? .null
    } else {
      let store = try DataDirectory(arguments).openStore()
      guard try await store.app(app) != nil else {
        throw CommandFailure("there is no app \(app); martlet apps list names them")
      }
      let (key, record) = APIKey.make(role: role, app: app, at: ServerClock.system.now())
      try await store.add(record)
      result = ["id": .string(record.id), "role": .string(role.rawValue), "key": .string(key)]
    }
    console.print(arguments.flag("--json") ? result.line : result["key"]?.string ?? "")
    return .yes
  }
}

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
      Option(
        "--allow", "CIDR", isRepeatable: true,
        help: "addresses the key is taken from (any): 192.0.2.0/24, 2001:db8::/32"),
      Option("--per-second", "N", help: "requests a second that the key is for (no limit)"),
    ] + DataDirectory.options + ServerClient.options + [.json]

  private let arguments: Arguments
  private let app: String
  private let role: APIKey.Role
  private let limits: APIKey.Limits

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments, isFromCommandLine: true)
    app = try arguments.required("--app")
    let word = try arguments.required("--role")
    guard let role = Self.roles.first(where: { $0.rawValue == word }) else {
      throw UsageError("--role takes push, analytics, device or admin, not \"\(word)\"")
    }
    self.role = role
    limits = try Self.limits(arguments)
  }

  private static func limits(_ arguments: Arguments) throws -> APIKey.Limits {
    let allow = try arguments.all("--allow").map { text in
      guard let range = AddressRange(text) else {
        throw UsageError("--allow takes \(APIKey.Limits.rangeForm), not \"\(text)\"")
      }
      return range
    }
    guard allow.count <= APIKey.Limits.rangeLimit else {
      throw UsageError("--allow may be given \(APIKey.Limits.rangeLimit) times at most")
    }
    return APIKey.Limits(
      allow: allow,
      perSecond: try arguments.integer("--per-second", in: APIKey.Limits.perSecondRange))
  }

  func run(_ console: Console) async throws -> ExitCode {
    var arguments = arguments
    try arguments.fallBack(environment: console.environment)
    let result: JSONValue
    if let server = try ServerClient(arguments, console) {
      let body: JSONValue = [
        "key": .object(limits.members.merging(["role": .string(role.rawValue)]) { $1 })
      ]
      let answer = try await server.request(
        "POST", "/v6/apps/\(ServerClient.escaped(app))/keys", body: body.serialized())
      result = answer["key"] ?? .null
    } else {
      let store = try await DataDirectory(arguments).openStore()
      guard try await store.app(app) != nil else {
        throw CommandFailure("there is no app \(app); martlet apps list names them")
      }
      let (key, record) = APIKey.make(
        role: role, app: app, limits: limits, at: ServerClock.system.now())
      try await store.add(record)
      result = record.answer(showing: key)
    }
    console.print(arguments.flag("--json") ? result.line : result["key"]?.string ?? "")
    return .yes
  }
}

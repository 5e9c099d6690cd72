import PushPayload
import PushServer
import PushStore

/// `martlet keys create`: another key for an app, or for the server itself.
struct KeysCreateCommand: Command {
  static let name = "keys create"
  static let summary = "make a key for an app, or the server, and print it, once"
  static let roles = [APIKey.Role.push, .analytics, .device, .admin, .server]
  static let options =
    [
      Option("--app", "ID", help: "the app; the role server has none"),
      Option("--role", "push|analytics|device|admin|server", help: "what the key may do"),
      Option(
        "--allow", "CIDR", isRepeatable: true,
        help: "addresses the key is taken from (any): 192.0.2.0/24, 2001:db8::/32"),
      Option("--per-second", "N", help: "requests a second that the key is for (no limit)"),
    ] + DataDirectory.options + ServerClient.options + [.json]

  private let arguments: Arguments
  /// `nil` for the server's own.
  private let app: String?
  private let role: APIKey.Role
  private let limits: APIKey.Limits

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments, isFromCommandLine: true)
    let word = try arguments.required("--role")
    guard let role = Self.roles.first(where: { $0.rawValue == word }) else {
      throw UsageError("--role takes push, analytics, device, admin or server, not \"\(word)\"")
    }
    if role == .server {
      guard arguments.value("--app") == nil else {
        throw UsageError("a key of the role server is for all apps: leave out --app")
      }
      try arguments.requireStore()
      app = nil
    } else {
      app = try arguments.required("--app")
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
    if let app, let server = try ServerClient(arguments, console) {
      let body: JSONValue = [
        "key": .object(limits.members.merging(["role": .string(role.rawValue)]) { $1 })
      ]
      let answer = try await server.request(
        "POST", "/v6/apps/\(ServerClient.escaped(app))/keys", body: body.serialized())
      result = answer["key"] ?? .null
    } else {
      let store = try await DataDirectory(arguments).openStore()
      if let app { _ = try await store.requiredApp(app) }
      let (key, record) = APIKey.make(
        role: role, app: app, limits: limits, at: ServerClock.system.now())
      try await store.traced("key.create", record.id, app: app).add(record)
      result = record.answer(showing: key)
    }
    console.print(arguments.flag("--json") ? result.line : result["key"]?.string ?? "")
    return .yes
  }
}

/// `martlet keys list`: the keys of an app, or of the server, of which none can be shown again.
struct KeysListCommand: Command {
  static let name = "keys list"
  static let summary = "list the keys of an app, or those of the server"
  static let options =
    [Option("--app", "ID", help: "the app (the keys of the role server)")]
    + DataDirectory.options + ServerClient.options + [.json]

  private let arguments: Arguments
  private let app: String?

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments, isFromCommandLine: true)
    app = arguments.value("--app")
    if app == nil { try arguments.requireStore() }
  }

  func run(_ console: Console) async throws -> ExitCode {
    var arguments = arguments
    try arguments.fallBack(environment: console.environment)
    let keys: [JSONValue]
    if let app, let server = try ServerClient(arguments, console) {
      let path = "/v6/apps/\(ServerClient.escaped(app))/keys"
      keys = try await server.request("GET", path)["keys"]?.array ?? []
    } else {
      let store = try await DataDirectory(arguments).openStore()
      if let app { _ = try await store.requiredApp(app) }
      keys = try await store.keys(app: app).map(\.answer)
    }
    if arguments.flag("--json") {
      console.print(JSONValue.array(keys).line)
    } else {
      for key in keys {
        console.print(
          ["id", "role", "created_at"].map { key[$0]?.string ?? "" }.joined(separator: "  "))
      }
    }
    return .yes
  }
}

/// `martlet keys revoke`: from here on a key opens nothing.
struct KeysRevokeCommand: Command {
  static let name = "keys revoke"
  static let summary = "revoke a key, named by its id"
  static let operands = "ID"
  static let options =
    [Option("--app", "ID", help: "the app of the key (looked for in all, and among the server's)")]
    + DataDirectory.options + ServerClient.options + [.json]

  private let arguments: Arguments
  private let id: String

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments, isFromCommandLine: true)
    guard arguments.operands.count == 1 else {
      throw UsageError("name one key by its id; martlet keys list has them")
    }
    id = arguments.operands[0]
  }

  func run(_ console: Console) async throws -> ExitCode {
    var arguments = arguments
    try arguments.fallBack(environment: console.environment)
    let key: JSONValue?
    if let server = try ServerClient(arguments, console) {
      key = try await revoke(on: server, arguments)
    } else {
      key = try await revoke(in: try DataDirectory(arguments), arguments)
    }
    guard let key else {
      throw CommandFailure(
        "there is no key \(id); martlet keys list, with or without --app ID, names them")
    }
    console.print(arguments.flag("--json") ? key.line : "revoked \(id)")
    return .yes
  }

  private func revoke(on server: ServerClient, _ arguments: Arguments) async throws -> JSONValue? {
    if let app = arguments.value("--app") {
      return try await server.request("DELETE", path(app) + "/" + ServerClient.escaped(id))["key"]
    }
    for app in try await server.request("GET", "/v6/apps")["apps"]?.array ?? [] {
      let path = path(app["id"]?.string ?? "")
      let keys = try await server.request("GET", path)["keys"]?.array ?? []
      guard keys.contains(where: { $0["id"]?.string == id }) else { continue }
      return try await server.request("DELETE", path + "/" + ServerClient.escaped(id))["key"]
    }
    return nil
  }

  private func path(_ app: String) -> String { "/v6/apps/\(ServerClient.escaped(app))/keys" }

  private func revoke(
    in data: DataDirectory, _ arguments: Arguments
  ) async throws -> JSONValue? {
    let store = try await data.openStore()
    let apps: [String?]
    if let named = arguments.value("--app") {
      apps = [named]
    } else {
      apps = [nil] + (try await store.apps().map(\.id))
    }
    for app in apps {
      let key = try await store.keys(app: app).first { $0.id == id }
      let traced = store.traced("key.revoke", id, app: app)
      if let key, try await traced.revokeKey(id, app: app) { return key.answer }
    }
    return nil
  }
}

extension Arguments {
  /// No key opens the server's own keys over HTTP, so that one that leaked makes no other.
  fileprivate func requireStore() throws(UsageError) {
    guard value("--server") == nil else {
      throw UsageError("the server's own keys are kept on its machine: use --data, or --database")
    }
  }
}

import NetworkAddresses
import PushModel
import PushPayload
import PushServer

/// `martlet keys create`: makes an API key for an app or for the server.
struct KeysCreateCommand: Command {
  static let name = "keys create"
  static let summary = "make a key for an app or the server and print it, once"
  static let roles = [APIKey.Role.push, .analytics, .device, .admin, .server, .metrics]

  enum Options {
    static let app = Option(
      "--app", .text("ID"), help: "the app; the roles server and metrics have none")
    static let role = Option(required: "--role", roleForm, help: "what the key may do")
    static let name = Option(
      "--name", nameForm, help: "what the key is for, which the audit log names too")
    static let allow = Option(
      repeated: "--allow", rangeForm,
      help: "addresses that may use the key, such as 192.0.2.0/24 or 2001:db8::/32 (default any)")
    static let perSecond = Option(
      "--per-second", .count(APIKey.Limits.perSecondRange),
      help: "the most requests a second with the key (default no limit)")
    static let sendClass = Option(
      "--class", classForm,
      help: "the class of sends with the key that name none (default as the app says)")
    static let development = Option(
      flag: "--development",
      help: "for the role device: the key of debug builds, whose push tokens are of development")

    private static let roleForm = ValueForm<APIKey.Role>(
      roles.map(\.rawValue).joined(separator: "|"),
      takes: "push, analytics, device, admin, server or metrics",
      completion: .words(roles.map(\.rawValue))
    ) { word in roles.first { $0.rawValue == word } }

    private static let classForm = ValueForm<SendClass>(
      SendClass.allCases.map(\.rawValue).joined(separator: "|"), takes: "transactional or campaign",
      completion: .words(SendClass.allCases.map(\.rawValue))
    ) { SendClass(rawValue: $0) }

    private static let nameForm = ValueForm<String>(
      "NAME", takes: "1 to \(APIKey.nameLimit) characters, all of which people can see"
    ) { DisplayText.problem($0, upTo: APIKey.nameLimit) == nil ? $0 : nil }

    private static let rangeForm = ValueForm<AddressRange>(
      "CIDR", takes: APIKey.Limits.rangeForm
    ) { AddressRange($0) }
  }

  static let options: [any CommandOption] =
    [
      Options.app, Options.role, Options.name, Options.allow, Options.perSecond, KeyExpiry.option,
      Options.sendClass, Options.development,
    ]
    + ServerClient.Options.withStore

  private let arguments: Arguments
  /// The id of the app; `nil` if the key is for the server.
  private let app: String?
  private let role: APIKey.Role
  private let limits: APIKey.Limits
  private let isForDevelopment: Bool
  private let keyName: String?

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments)
    role = try arguments[Options.role]
    let app = try arguments[Options.app]
    if role.isOfServer {
      guard app == nil else {
        throw UsageError("a key of the role \(role.rawValue) is for all apps: leave out --app")
      }
      try arguments.requireStore()
    } else if app == nil {
      throw UsageError("missing --app ID")
    }
    self.app = app
    isForDevelopment = arguments[Options.development]
    guard !isForDevelopment || role == .device else {
      throw UsageError("--development is for a key of the role device")
    }
    keyName = try arguments[Options.name]
    limits = try Self.limits(arguments)
  }

  private static func limits(_ arguments: Arguments) throws -> APIKey.Limits {
    let allow = try arguments[Options.allow]
    guard allow.count <= APIKey.Limits.rangeLimit else {
      throw UsageError("--allow may be given \(APIKey.Limits.rangeLimit) times at most")
    }
    return APIKey.Limits(
      allow: allow, perSecond: try arguments[Options.perSecond], expiresAt: try arguments.expiry(),
      sendClass: try arguments[Options.sendClass])
  }

  func run(_ console: Console) async throws -> ExitCode {
    let result: JSONValue
    if let app, let server = try ServerClient(arguments, console) {
      var members = limits.members
      members["role"] = .string(role.rawValue)
      members["name"] = keyName.map(JSONValue.string)
      if isForDevelopment { members["development"] = true }
      let body: JSONValue = ["key": .object(members)]
      let answer = try await server.request(
        "POST", "/v6/apps/\(ServerClient.escaped(app))/keys", body: body.serialized())
      result = answer["key"] ?? .null
    } else {
      let store = try await DataDirectory(arguments).openStore(for: console)
      if let app { _ = try await store.requiredApp(app) }
      let (key, record) = APIKey.make(
        role: role, app: app, name: keyName, limits: limits, isForDevelopment: isForDevelopment,
        at: ServerClock.system.now())
      try await store.traced("key.create", record.id, app: app).add(record)
      result = record.answer(showing: key)
    }
    console.print(arguments[CommonOptions.json] ? result.line : result["key"]?.string ?? "")
    return .success
  }
}

extension Arguments {
  /// Refuses `--server`; the server's own keys cannot be changed over HTTP, so that a leaked key
  /// cannot make others.
  func requireStore() throws {
    guard try self[ServerClient.Options.server] == nil else {
      throw UsageError("the server's own keys are kept on its machine: use --data, or --database")
    }
  }
}

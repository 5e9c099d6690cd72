import PushModel
import PushPayload
import PushServer

/// `martlet keys list`: lists the keys of an app or of the server, without the keys themselves.
struct KeysListCommand: Command {
  static let name = "keys list"
  static let summary = "list the keys of an app, or those of the server"

  enum Options {
    static let app = Option(
      "--app", .text("ID"), help: "the app (default the server's own keys)")
  }

  static let options: [any CommandOption] =
    [Options.app] + ServerClient.Options.withStore

  private let arguments: Arguments
  private let app: String?

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments)
    app = try arguments[Options.app]
    if app == nil { try arguments.requireStore() }
  }

  func run(_ console: Console) async throws -> ExitCode {
    let keys: [JSONValue]
    if let app, let server = try ServerClient(arguments, console) {
      let path = "/v6/apps/\(ServerClient.escaped(app))/keys"
      keys = try await server.request("GET", path)["keys"]?.array ?? []
    } else {
      let store = try await DataDirectory(arguments).openStore(for: console)
      if let app { _ = try await store.requiredApp(app) }
      keys = try await store.keys(app: app).map(\.answer)
    }
    if arguments[CommonOptions.json] {
      console.print(JSONValue.array(keys).line)
    } else {
      for key in keys {
        var parts = ["id", "role", "created_at"].map { key[$0]?.string ?? "" }
        if let name = key["name"]?.string { parts.append(name) }
        if key["development"]?.bool == true { parts.append("development") }
        if let expiry = key.expiryText { parts.append(expiry) }
        console.print(parts.joined(separator: "  "))
      }
    }
    return .success
  }
}

extension JSONValue {
  /// The time at which the key in this answer expires, for a line of text; `nil` if it never expires.
  var expiryText: String? {
    guard let text = self["expires_at"]?.string, let time = Timestamp(iso8601: text) else {
      return nil
    }
    return (time <= ServerClock.system.now() ? "expired " : "expires ") + text
  }
}

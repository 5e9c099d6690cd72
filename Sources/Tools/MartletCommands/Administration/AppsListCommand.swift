import PushModel
import PushPayload
import PushServer

/// `martlet apps list`: lists the apps of a server.
struct AppsListCommand: Command {
  static let name = "apps list"
  static let summary = "list the apps"
  static let options = ServerClient.Options.withStore

  private let arguments: Arguments

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments)
  }

  func run(_ console: Console) async throws -> ExitCode {
    let apps: [JSONValue]
    if let server = try ServerClient(arguments, console) {
      apps = try await server.request("GET", "/v6/apps")["apps"]?.array ?? []
    } else {
      apps = try await DataDirectory(arguments).openStore(for: console).apps().map(\.answer)
    }
    if arguments[CommonOptions.json] {
      console.print(JSONValue.array(apps).line)
    } else {
      for app in apps {
        let parts = ["id", "bundle_id", "name"].map { app[$0]?.string ?? "" }
        console.print(parts.joined(separator: "  "))
      }
    }
    return .success
  }
}

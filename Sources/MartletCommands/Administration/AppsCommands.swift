import APNs
import Foundation
import PushPayload
import PushServer
import PushStore

/// `martlet apps create`: an app with one key a role.
struct AppsCreateCommand: Command {
  static let name = "apps create"
  static let summary = "store an app and print its id and keys, which are shown once"
  static let options =
    [
      Option("--bundle-id", "ID", help: "the app's bundle id"),
      Option("--team-id", "T", help: "the developer team's id"),
      Option("--key-id", "K", help: "the id of the APNs key"),
      Option("--key-file", "P8", help: "the key's p8 file"),
      Option("--name", "N", help: "what people call it (the bundle id)"),
    ] + DataDirectory.options + [SecretKeyFile.option] + ServerClient.options + [.json]

  private let arguments: Arguments
  private let app: NewApp
  private let keyFile: String

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments, isFromCommandLine: true)
    app = NewApp(
      bundleID: try arguments.required("--bundle-id"), teamID: try arguments.required("--team-id"),
      keyID: try arguments.required("--key-id"), privateKey: "", name: arguments.value("--name"))
    keyFile = try arguments.required("--key-file")
  }

  func run(_ console: Console) async throws -> ExitCode {
    var app = app
    app.privateKey = try readText(keyFile, of: "--key-file")
    do throws(NewApp.Problem) {
      // Checked here first, so that a wrong value is named as the option it is.
      try app.check()
    } catch {
      throw problem(error)
    }
    if let warning = ProviderTokenCredentials.warning(ofFile: keyFile) {
      console.printError("martlet apps create: \(warning)")
    }
    var arguments = arguments
    try arguments.fallBack(environment: console.environment)
    let result: JSONValue
    if let server = try ServerClient(arguments, console) {
      result = try await server.request("POST", "/v6/apps", body: app.requestBody)
    } else {
      let data = try DataDirectory(arguments)
      let store = try await data.openStore()
      let secretKey = try await SecretKeyFile(arguments, in: data).secretKey(for: store)
      let created = try app.make(at: ServerClock.system.now(), sealedWith: secretKey)
      try await store.traced("app.create", created.app.id)
        .add(created.app, keys: created.records)
      result = created.json
    }
    console.print(arguments.flag("--json") ? result.line : Self.text(result))
    return .yes
  }

  private func problem(_ problem: NewApp.Problem) -> any Error {
    switch problem.field {
    case "private_key": CommandFailure("\(keyFile) \(problem.message)")
    default:
      UsageError("--\(problem.field.replacing("_", with: "-")) \(problem.message)")
    }
  }

  private static func text(_ result: JSONValue) -> String {
    let keys = (result["keys"]?.object ?? [:]).sorted { $0.key < $1.key }
    let width = keys.map(\.key.count).max() ?? 0
    let lines = keys.map { role, key in
      "  " + role + String(repeating: " ", count: width - role.count) + "  " + (key.string ?? "")
    }
    return "app \(result["id"]?.string ?? "")\nkeys, shown once:\n" + lines.joined(separator: "\n")
  }
}

/// `martlet apps list`.
struct AppsListCommand: Command {
  static let name = "apps list"
  static let summary = "list the apps"
  static let options = DataDirectory.options + ServerClient.options + [.json]

  private let arguments: Arguments

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments, isFromCommandLine: true)
  }

  func run(_ console: Console) async throws -> ExitCode {
    var arguments = arguments
    try arguments.fallBack(environment: console.environment)
    let apps: [JSONValue]
    if let server = try ServerClient(arguments, console) {
      apps = try await server.request("GET", "/v6/apps")["apps"]?.array ?? []
    } else {
      apps = try await DataDirectory(arguments).openStore().apps().map(\.answer)
    }
    if arguments.flag("--json") {
      console.print(JSONValue.array(apps).line)
    } else {
      for app in apps {
        let parts = ["id", "bundle_id", "name"].map { app[$0]?.string ?? "" }
        console.print(parts.joined(separator: "  "))
      }
    }
    return .yes
  }
}

/// `martlet apps delete`: an app and all that is its own.
struct AppsDeleteCommand: Command {
  static let name = "apps delete"
  static let summary = "remove an app, its devices and all it has sent, for good"
  static let operands = "ID"
  static let options = DataDirectory.options + ServerClient.options + [.json]

  private let arguments: Arguments
  private let id: String

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments, isFromCommandLine: true)
    guard arguments.operands.count == 1 else { throw UsageError("name one app by its id") }
    id = arguments.operands[0]
  }

  func run(_ console: Console) async throws -> ExitCode {
    var arguments = arguments
    try arguments.fallBack(environment: console.environment)
    let app: JSONValue
    if let server = try ServerClient(arguments, console) {
      let path = "/v6/apps/\(ServerClient.escaped(id))"
      app = try await server.request("DELETE", path)["app"] ?? .null
    } else {
      let store = try await DataDirectory(arguments).openStore()
      app = try await store.requiredApp(id).answer
      _ = try await store.traced("app.delete", id).deleteApp(id)
    }
    console.print(arguments.flag("--json") ? app.line : "deleted \(app["id"]?.string ?? id)")
    return .yes
  }
}

extension NewApp {
  fileprivate var requestBody: Data {
    var members: [String: JSONValue] = [
      "bundle_id": .string(bundleID), "team_id": .string(teamID), "key_id": .string(keyID),
      "private_key": .string(privateKey),
    ]
    members["name"] = name.map(JSONValue.string)
    return JSONValue.object(["app": .object(members)]).serialized()
  }
}

extension JSONValue {
  /// Compact JSON as text.
  var line: String { String(decoding: serialized(), as: UTF8.self) }
}

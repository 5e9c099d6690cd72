import APNs
import Foundation
import PushModel
import PushPayload
import PushServer

/// `martlet apps create`: stores an app and makes one key for each role.
struct AppsCreateCommand: Command {
  static let name = "apps create"
  static let summary = "store an app and print its id and keys, which are shown once"
  static let discussion = """
    Works on the store, also beside a running serve, which sees the app within a second; or over HTTP
    with --server.
    """

  enum Options {
    static let bundleID = Option(required: "--bundle-id", .text("ID"), help: "the app's bundle id")
    static let teamID = Option(
      required: "--team-id", .text("TEAM"), help: "the id of the developer team")
    static let keyID = Option(required: "--key-id", .text("KEY"), help: "the id of the APNs key")
    static let keyFile = Option(required: "--key-file", .file("P8"), help: "the key's .p8 file")
    static let name = Option(
      "--name", .text("NAME"), help: "the app's name in the dashboard (default the bundle id)")
    static let identity = Option(
      "--identity", .oneOf(App.Identity.self), default: "required",
      help: "whether a device key's user needs a user token; see docs/server/identity.md")
  }

  static let options: [any CommandOption] =
    [
      Options.bundleID, Options.teamID, Options.keyID, Options.keyFile, Options.name,
      Options.identity,
    ]
    + DataDirectory.Options.all + [SecretKeyFile.option] + ServerClient.Options.all
    + [CommonOptions.json]

  private let arguments: Arguments
  private let app: NewApp
  private let keyFile: String

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments)
    var app = NewApp(
      bundleID: try arguments[Options.bundleID], teamID: try arguments[Options.teamID],
      keyID: try arguments[Options.keyID], privateKey: "", name: try arguments[Options.name])
    app.identity = try arguments[Options.identity]
    self.app = app
    keyFile = try arguments[Options.keyFile]
  }

  func run(_ console: Console) async throws -> ExitCode {
    var app = app
    app.privateKey = try InputFile.text(keyFile, of: Options.keyFile)
    do throws(NewApp.Problem) {
      // The app is checked here first, so that the error names the option and not the member of the request.
      try app.check()
    } catch {
      throw problem(error)
    }
    if let warning = ProviderTokenCredentials.warning(ofFile: keyFile) {
      console.printError("martlet apps create: \(warning)")
    }
    let result: JSONValue
    if let server = try ServerClient(arguments, console) {
      result = try await server.request("POST", "/v6/apps", body: app.requestBody)
    } else {
      let data = try DataDirectory(arguments)
      let store = try await data.openStore(for: console, makesFolder: true)
      let secretKey = try await SecretKeyFile(arguments, in: data).secretKey(for: store)
      let created = try app.make(
        at: ServerClock.system.now(), sealedWith: try await secretKey.inUse(in: store))
      try await store.traced("app.create", created.app.id)
        .add(created.app, keys: created.records)
      result = created.json
    }
    console.print(arguments[CommonOptions.json] ? result.line : Self.text(result))
    return .success
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

extension NewApp {
  fileprivate var requestBody: Data {
    var members: [String: JSONValue] = [
      "bundle_id": .string(bundleID), "team_id": .string(teamID), "key_id": .string(keyID),
      "private_key": .string(privateKey), "identity": .string(identity.rawValue),
    ]
    members["name"] = name.map(JSONValue.string)
    return JSONValue.object(["app": .object(members)]).serialized()
  }
}

import PushModel
import PushPayload
import PushServer

/// `martlet identity-keys add`: adds a public key that verifies an app's user tokens.
struct IdentityKeysAddCommand: Command {
  static let name = "identity-keys add"
  static let summary = "add a public key that verifies the app's user tokens; at most two"
  static let discussion = """
    FILE has a P-256 public key in PEM. openssl makes the pair of keys:
      openssl ecparam -name prime256v1 -genkey -noout -out identity.pem
      openssl ec -in identity.pem -pubout -out identity.pub.pem
    The private key stays on the app's server, which signs the tokens. See docs/server/identity.md.
    """
  static let operand: Operand? = Operand("FILE", .one, help: "the file with the public key")

  enum Options {
    static let app = Option(required: "--app", .text("ID"), help: "the app")
  }

  static let options: [any CommandOption] =
    [Options.app, KeyExpiry.option] + ServerClient.Options.withStore

  private let arguments: Arguments
  private let app: String
  private let expiresAt: Timestamp?

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments)
    app = try arguments[Options.app]
    expiresAt = try arguments.expiry()
  }

  func run(_ console: Console) async throws -> ExitCode {
    let file = arguments.operands[0]
    let data = try InputFile.data(file, role: "the identity key")
    let key: IdentityKey
    do throws(NewApp.Problem) {
      key = try IdentityKey.make(
        pem: String(decoding: data, as: UTF8.self), app: app, at: ServerClock.system.now(),
        expiresAt: expiresAt)
    } catch {
      throw CommandFailure("\(file) \(error.message)")
    }
    let answer: JSONValue
    if let server = try ServerClient(arguments, console) {
      var members: [String: JSONValue] = ["public_key": .string(key.pem)]
      members["expires_at"] = expiresAt.map { .string($0.iso8601) }
      let body: JSONValue = ["identity_key": .object(members)]
      let path = ServerClient.identityKeys(of: app)
      answer =
        try await server.request("POST", path, body: body.serialized())["identity_key"] ?? .null
    } else {
      let store = try await DataDirectory(arguments).openStore(for: console)
      _ = try await store.requiredApp(app)
      try await store.traced(IdentityKey.creation, key.id, app: app).add(key)
      answer = key.answer
    }
    console.print(arguments[CommonOptions.json] ? answer.line : answer["id"]?.string ?? "")
    return .success
  }
}

extension ServerClient {
  static func identityKeys(of app: String) -> String {
    "/v6/apps/\(escaped(app))/identity_keys"
  }
}

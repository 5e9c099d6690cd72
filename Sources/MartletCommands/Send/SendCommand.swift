import APNs
import Foundation
import PushPayload

/// `martlet send`: one payload straight to APNs, for each of some tokens.
struct SendCommand: Command {
  static let name = "send"
  static let summary = "send a payload straight to APNs"
  static let operands = "PAYLOAD.json"
  static let options = [
    Option("--bundle-id", "ID", help: "the app; the topic is made from it and the push type"),
    Option("--team-id", "TEAM", help: "the developer team of the key"),
    Option("--key-id", "KEY", help: "the id of the key"),
    Option("--key-file", "P8", help: "the .p8 file with the key"),
    Option("--token", "TOKEN", isRepeatable: true, help: "a device token in hexadecimal"),
    Option("--apns", "production|development|URL", help: "where to send; default production"),
    Option("--apns-ca", "FILE", help: "PEM trusted beside the system's; with a URL only"),
    Option("--push-type", "TYPE", help: "alert (default), background, voip, …"),
    Option("--priority", "10|5|1", help: "10 at once, 5 considering power, 1 never waking"),
    Option("--collapse-id", "ID", help: "a later push with the same replaces this; 64 bytes"),
    Option("--expiration", "SECONDS", help: "UNIX time after which it is worthless; 0 tries once"),
    Option("--topic", "TOPIC", help: "the topic, where it is not the bundle id's"),
    Option("--id", "UUID", help: "the apns-id; with one token only"),
    .json,
  ]

  private var credentials: (teamID: String, keyID: String, file: String)
  private var endpoint: APNsEndpoint
  private var trustFile: String?
  private var template: APNsNotification
  private var tokens: [String]
  private var payloadFile: String
  private var isJSON: Bool
  private var isQuiet: Bool

  init(_ arguments: Arguments) throws {
    let type = PushType(rawValue: arguments.value("--push-type") ?? "alert")
    let topic =
      try arguments.value("--topic") ?? type.topic(forBundleID: arguments.required("--bundle-id"))
    credentials = (
      try arguments.required("--team-id"), try arguments.required("--key-id"),
      try arguments.required("--key-file")
    )
    (endpoint, trustFile) = try Self.endpoint(arguments)
    tokens = arguments.all("--token")
    guard !tokens.isEmpty else { throw UsageError("missing --token TOKEN") }
    template = APNsNotification(deviceToken: "", topic: topic, pushType: type, payload: [])
    template.priority = Int(
      try arguments.choice("--priority", of: ["10", "5", "1"], default: ""))
    template.collapseID = arguments.value("--collapse-id")
    if let id = template.collapseID, id.utf8.count > 64 {
      throw UsageError("--collapse-id takes at most 64 bytes, not \(id.utf8.count)")
    }
    template.expiration = try arguments.integer("--expiration", in: 0...Int.max).map(Int64.init)
    if let id = arguments.value("--id") {
      guard UUID(uuidString: id) != nil else {
        throw UsageError("--id takes a UUID, not \"\(id)\"")
      }
      guard tokens.count == 1 else { throw UsageError("--id goes with one --token only") }
      template.id = id.lowercased()
    }
    guard arguments.operands.count == 1 else {
      throw UsageError("takes one PAYLOAD.json, not \(arguments.operands.count)")
    }
    payloadFile = arguments.operands[0]
    isJSON = arguments.flag("--json")
    isQuiet = arguments.flag("--quiet")
  }

  private static func endpoint(_ arguments: Arguments) throws -> (APNsEndpoint, String?) {
    let place = arguments.value("--apns") ?? "production"
    let trust = arguments.value("--apns-ca")
    switch place {
    case "production", "development":
      guard trust == nil else { throw UsageError("--apns-ca goes with --apns URL only") }
      return (place == "production" ? .production : .development, nil)
    default:
      guard let endpoint = try? APNsEndpoint.custom(url: place) else {
        throw UsageError(
          "--apns takes production, development or https://HOST:PORT, not \"\(place)\"")
      }
      return (endpoint, trust)
    }
  }

  func run(_ console: Console) async throws -> ExitCode {
    let payload = try payload(console)
    let client = try client(console)
    let pushes = tokens.map { token in
      var push = template
      push.deviceToken = token
      push.payload = payload
      if tokens.count > 1 { push.id = UUID().uuidString.lowercased() }
      return push
    }
    let outcomes = await client.send(pushes)
    await client.close()
    var said: Set<String> = []
    for (token, outcome) in zip(tokens, outcomes) {
      if isJSON {
        console.print(Self.json(token, outcome))
      } else if !isQuiet || !outcome.isSuccess {
        console.print(Self.text(token, outcome))
      }
      // In text a push without an answer says so itself; what holds for many is said once.
      if let message = outcome.message, isJSON || outcome.status != nil,
        said.insert(message).inserted
      {
        let what = outcome.reason?.rawValue ?? outcome.kind.rawValue
        console.printError("martlet send: \(what): \(message)")
      }
    }
    return outcomes.map(\.isSuccess).contains(false) ? .no : .yes
  }

  /// The file's bytes as they are, once they are known to be JSON.
  private func payload(_ console: Console) throws -> [UInt8] {
    let data = try readPayload(payloadFile, console)
    do { _ = try JSONValue(parsing: data) } catch {
      throw CommandFailure("\(payloadFile): \(error)", cause: error)
    }
    return Array(data)
  }

  private func client(_ console: Console) throws -> APNsClient {
    let token: ProviderTokenCredentials
    do {
      token = try ProviderTokenCredentials(
        teamID: credentials.teamID, keyID: credentials.keyID, file: credentials.file)
    } catch { throw CommandFailure(error.message, cause: error) }
    if let warning = token.warning { console.printError("martlet send: \(warning)") }
    var configuration = APNsClient.Configuration(credentials: .token(token), endpoint: endpoint)
    // A person waits for it.
    configuration.requestTimeout = .seconds(10)
    if let trustFile {
      configuration.extraTrustPEM = String(
        decoding: try readFile(trustFile, "the certificate that --apns-ca names"), as: UTF8.self)
    }
    do { return try APNsClient(configuration: configuration) } catch {
      let file = error.code == .badTrust ? trustFile ?? "" : credentials.file
      throw CommandFailure("\(file): \(error.message)", cause: error)
    }
  }

  private static func text(_ token: String, _ outcome: APNsOutcome) -> String {
    guard let status = outcome.status else {
      return "\(token)  \(outcome.kind.rawValue): \(outcome.message ?? "")"
    }
    let since = outcome.timestamp.map { milliseconds in
      " since " + Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
    }
    return "\(token)  \(status) \(outcome.reason?.rawValue ?? "accepted")\(since ?? "")"
      + "  \(outcome.apnsID)"
  }

  private static func json(_ token: String, _ outcome: APNsOutcome) -> String {
    let line: JSONValue = .object([
      "token": .string(token),
      "outcome": .string(outcome.kind.rawValue),
      "status": outcome.status.map { .integer(Int64($0)) } ?? .null,
      "reason": outcome.reason.map { .string($0.rawValue) } ?? .null,
      "apns_id": .string(outcome.apnsID),
      "timestamp": outcome.timestamp.map(JSONValue.integer) ?? .null,
    ])
    return String(decoding: line.serialized(), as: UTF8.self)
  }
}

/// A file's bytes, or one line that says which file and why not.
func readFile(_ path: String, _ what: String) throws -> Data {
  do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
    let reason =
      FileManager.default.fileExists(atPath: path) ? "it is not readable" : "there is no such file"
    throw CommandFailure("cannot read \(path), \(what): \(reason)", cause: error)
  }
}

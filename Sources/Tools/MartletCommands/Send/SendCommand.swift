import APNs
import Foundation
import PushPayload
import PushServer

/// `martlet send`: sends a payload directly to APNs, once for each token.
struct SendCommand: Command {
  static let name = "send"
  static let summary = "send a payload straight to APNs"
  static let operand: Operand? = Operand(
    "PAYLOAD", .one, completion: .files, help: "the JSON file of the payload; - is standard input")
  static let exitCodes: [ExitCode: String] = [
    .success: "APNs accepted all", .failure: "a push was refused or not sent",
    .invalidInput: "the command line is wrong",
  ]

  enum Options {
    static let bundleID = Option(
      "--bundle-id", .text("ID"), help: "the app; its topic follows from this and the push type")
    static let teamID = Option(
      required: "--team-id", .text("TEAM"), help: "the developer team of the key")
    static let keyID = Option(required: "--key-id", .text("KEY"), help: "the id of the key")
    static let keyFile = Option(
      required: "--key-file", .file("P8"), help: "the .p8 file with the key")
    static let token = Option(
      repeated: "--token", .text("TOKEN"), help: "a device token in hexadecimal")
    static let apns = Option(
      "--apns", endpointForm, default: "production", help: "where to send")
    static let apnsCA = Option(
      "--apns-ca", .file(), help: "PEM certificates to trust beside the system's; with a URL only")
    static let pushType = Option(
      "--push-type", .pushType, default: "alert", help: "alert, background, voip, …")
    static let priority = Option(
      "--priority", .oneOf(["10", "5", "1"]),
      help: "10 at once, 5 considering power, 1 without waking the device")
    static let collapseID = Option(
      "--collapse-id", collapseIDForm,
      help: "a later push with the same id replaces this one; at most 64 bytes")
    static let expiration = Option(
      "--expiration", .count(0...Int.max, "SECONDS"),
      help: "the UNIX time at which APNs stops trying; 0 tries once")
    static let topic = Option(
      "--topic", .text("TOPIC"), help: "the topic, if it does not follow from the bundle id")
    static let id = Option("--id", uuidForm, help: "the apns-id; with one token only")

    private static let endpointForm = ValueForm<APNsEndpoint>(
      "production|development|URL", takes: "production, development or https://HOST:PORT",
      completion: .words(["production", "development"])
    ) { text in
      switch text {
      case "production": .production
      case "development": .development
      default: try? .custom(url: text)
      }
    }
    private static let collapseIDForm = ValueForm<String>("ID", takes: "at most 64 bytes") {
      $0.utf8.count <= 64 ? $0 : nil
    }
    private static let uuidForm = ValueForm<String>("UUID", takes: "a UUID") {
      UUID(uuidString: $0) == nil ? nil : $0.lowercased()
    }
  }

  static let options: [any CommandOption] = [
    Options.bundleID, Options.teamID, Options.keyID, Options.keyFile, Options.token, Options.apns,
    Options.apnsCA, Options.pushType, Options.priority, Options.collapseID, Options.expiration,
    Options.topic, Options.id, CommonOptions.json,
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
    let type = PushType(rawValue: try arguments[Options.pushType])
    let topic: String
    if let given = try arguments[Options.topic] {
      topic = given
    } else if let bundleID = try arguments[Options.bundleID] {
      topic = type.topic(forBundleID: bundleID)
    } else {
      throw UsageError("missing --bundle-id ID, or --topic TOPIC")
    }
    credentials = (
      try arguments[Options.teamID], try arguments[Options.keyID], try arguments[Options.keyFile]
    )
    endpoint = try arguments[Options.apns]
    trustFile = try arguments[Options.apnsCA]
    if trustFile != nil, endpoint == .production || endpoint == .development {
      throw UsageError("--apns-ca goes with --apns URL only")
    }
    tokens = try arguments[Options.token]
    guard !tokens.isEmpty else { throw UsageError("missing --token TOKEN") }
    tokens = try tokens.map(Self.token)
    template = APNsNotification(deviceToken: "", topic: topic, pushType: type, payload: [])
    template.priority = try arguments[Options.priority].flatMap { Int($0) }
    template.collapseID = try arguments[Options.collapseID]
    template.expiration = try arguments[Options.expiration].map {
      APNsExpiration(seconds: Int64($0))
    }
    if let id = try arguments[Options.id] {
      guard tokens.count == 1 else { throw UsageError("--id goes with one --token only") }
      template.id = id
    }
    payloadFile = arguments.operands[0]
    isJSON = arguments[CommonOptions.json]
    isQuiet = arguments[CommonOptions.quiet]
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
    var printed: Set<String> = []
    for (token, outcome) in zip(tokens, outcomes) {
      if isJSON {
        console.print(Self.json(token, outcome))
      } else if !isQuiet || !outcome.isSuccess {
        console.print(Self.text(token, outcome))
      }
      // A line of text shows the message of a push without an answer. If several pushes have the
      // same message, it is printed once.
      if let message = outcome.message, isJSON || outcome.status != nil,
        printed.insert(message).inserted
      {
        let what = outcome.reason?.rawValue ?? outcome.kind.rawValue
        console.printError("martlet send: \(what): \(message)")
      }
    }
    return outcomes.map(\.isSuccess).contains(false) ? .failure : .success
  }

  /// Reads a token; APNs would refuse any other text, and every refusal counts against the
  /// connection.
  private static func token(_ text: String) throws -> String {
    do throws(PushToken.Refusal) { return try PushToken.read(text) } catch {
      throw UsageError("--token \"\(text.prefix(64))\" \(error.reason)")
    }
  }

  /// The bytes of the payload file, which must be JSON.
  private func payload(_ console: Console) throws -> [UInt8] {
    let data = try InputFile.payload(payloadFile, console)
    do { _ = try JSONValue(parsing: data) } catch {
      throw CommandFailure("\(payloadFile): \(error.sentence)", cause: error)
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
    // The timeout is short, because a person waits for the answer.
    configuration.requestTimeout = .seconds(10)
    if let trustFile {
      configuration.extraTrustPEM = String(
        decoding: try InputFile.data(trustFile, role: "the certificate that --apns-ca names"),
        as: UTF8.self)
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
    let since = outcome.timestamp.map { " since " + $0.formatted(.iso8601) }
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
      "timestamp": outcome.inactiveSince.map(JSONValue.integer) ?? .null,
    ])
    return String(decoding: line.serialized(), as: UTF8.self)
  }
}

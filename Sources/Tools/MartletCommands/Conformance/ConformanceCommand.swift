import APNs
import APNsConformance
import Foundation
import PushPayload

/// `martlet conformance`: checks a server that stands for APNs, or a client of APNs, against the rules.
struct ConformanceCommand: Command {
  static let name = "conformance"
  static let summary = "check a server or a client against the rules of APNs"
  static let discussion = """
    With --against it sends each rule's requests to the server, on a connection of its own. With
    --client it starts a server for each rule, runs the command, and judges what came. The command
    sends one push to each device token of APNS_TOKENS, and prints a line TOKEN STATUS REASON for
    each; a push without an answer has the status none. APNS_HOST, APNS_PORT, APNS_CA, APNS_KEY,
    APNS_KEY_ID, APNS_TEAM_ID, APNS_TOPIC and APNS_PAYLOAD have the rest. APNS_TOGETHER is 1 if the
    pushes may be sent at once.
    """
  static let exitCodes: [ExitCode: String] = [
    .success: "all rules that were checked hold", .failure: "a rule does not hold",
    .invalidInput: "could not be done: the command line is wrong, or the server cannot be reached",
  ]

  enum Options {
    static let against = Option(
      "--against", endpointForm, help: "the server to check")
    static let authority = Option(
      "--ca", .file(), help: "PEM certificates to trust beside the system's")
    static let client = Option(
      "--client", .text("COMMAND"), help: "the command of the client to check")
    static let rule = Option(
      repeated: "--rule", .text("ID"), help: "only this rule, or the rules whose ids begin so")
    static let providerKey = Option(
      "--provider-key", providerKeyForm,
      help: "the .p8 of a team that the server verifies signatures with")
    static let topic = Option(
      "--topic", .text("TOPIC"), default: "com.example.app", help: "a bundle id of that team")
    static let token = Option(
      "--token", .text("TOKEN"), help: "an active device token in hexadecimal")
    static let goneToken = Option(
      "--gone-token", .text("TOKEN"), help: "a device token that is no longer active")

    private static let endpointForm = ValueForm<APNsEndpoint>(
      "URL", takes: "https://HOST:PORT"
    ) { try? .custom(url: $0) }
    private static let providerKeyForm = ValueForm<SandboxCommand.ProviderKey>(
      "TEAM:KEYID:FILE"
    ) { SandboxCommand.ProviderKey($0) }
  }

  static let options: [any CommandOption] = [
    Options.against, Options.authority, Options.client, Options.rule, Options.providerKey,
    Options.topic, Options.token, Options.goneToken, CommonOptions.json,
  ]

  /// The party that is checked.
  private enum Subject {
    case server(APNsEndpoint)
    case client(String)
  }

  private let subject: Subject
  private let arguments: Arguments
  private let rules: [ConformanceRule]

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    switch (try arguments[Options.against], try arguments[Options.client]) {
    case (let endpoint?, nil): subject = .server(endpoint)
    case (nil, let command?): subject = .client(command)
    default: throw UsageError("takes --against URL or --client COMMAND")
    }
    if case .server(let endpoint) = subject, endpoint.host.hasSuffix("push.apple.com") {
      throw UsageError(
        "--against takes a stand-in for APNs: Apple disconnects who breaks its rules")
    }
    if case .client = subject,
      let option = Self.serverOptions.first(where: { arguments.isOnCommandLine($0) })
    {
      throw UsageError("\(option.definition.name) goes with --against only")
    }
    let wanted = try arguments[Options.rule]
    let isServer = if case .server = subject { true } else { false }
    let all = try ConformanceRules.all().filter {
      isServer ? $0.serverCase != nil : $0.clientCase != nil
    }
    for id in wanted where !all.contains(where: { $0.id.hasPrefix(id) }) {
      let near = NearestName.find(id, among: all.map(\.id))
      throw UsageError(
        "--rule \"\(id)\" is no rule about \(isServer ? "servers" : "clients")"
          + (near.map { "; did you mean \($0)?" } ?? ""))
    }
    rules = wanted.isEmpty ? all : all.filter { rule in wanted.contains { rule.id.hasPrefix($0) } }
  }

  private static let serverOptions: [any CommandOption] = [
    Options.authority, Options.providerKey, Options.topic, Options.token, Options.goneToken,
  ]

  func run(_ console: Console) async throws -> ExitCode {
    do {
      switch subject {
      case .server(let endpoint):
        let run = ServerConformance(try target(endpoint)) { Int64(Date().timeIntervalSince1970) }
        try await run.checkThatPlainPushIsAccepted()
        return try await report(console) { await run.check($0) }
      case .client(let command):
        let run = ClientConformance(ClientProcess(command).send)
        return try await report(console) { try await run.check($0) }
      }
    } catch let error as ConformanceError {
      console.printError("martlet conformance: \(error.message)")
      return .invalidInput
    }
  }

  /// Checks the rules one after the other, and prints each result as soon as it is there.
  private func report(
    _ console: Console, _ check: (ConformanceRule) async throws -> ConformanceResult
  ) async throws -> ExitCode {
    let (isJSON, isQuiet) = (arguments[CommonOptions.json], arguments[CommonOptions.quiet])
    var results: [ConformanceResult] = []
    for rule in rules {
      let result = try await check(rule)
      results.append(result)
      if !isJSON, !isQuiet || result.outcome == .failed { console.print(result.line) }
    }
    func count(_ outcome: ConformanceResult.Outcome) -> Int {
      results.count { $0.outcome == outcome }
    }
    if isJSON {
      let report: JSONValue = [
        "held": .integer(Int64(count(.held))), "failed": .integer(Int64(count(.failed))),
        "skipped": .integer(Int64(count(.skipped))), "rules": .array(results.map(\.json)),
      ]
      console.print(report.line)
    } else {
      console.print("\(count(.held)) held, \(count(.failed)) failed, \(count(.skipped)) skipped")
    }
    return count(.failed) == 0 ? .success : .failure
  }

  private func target(_ endpoint: APNsEndpoint) throws -> ServerTarget {
    var identity = try ProviderIdentity.made()
    let key = try arguments[Options.providerKey]
    if let key {
      let pem = try InputFile.text(key.file, of: Options.providerKey)
      do {
        identity = try ProviderIdentity(teamID: key.teamID, keyID: key.keyID, keyPEM: pem)
      } catch { throw UsageError("\(key.file) has no P-256 private key in PEM") }
    }
    var target = ServerTarget(host: endpoint.host, port: endpoint.port, identity: identity)
    target.verifiesSignatures = key != nil
    target.topic = try arguments[Options.topic]
    if let token = try arguments[Options.token] { target.token = token }
    target.goneToken = try arguments[Options.goneToken]
    target.trustPEM = try arguments[Options.authority].map {
      try InputFile.text($0, of: Options.authority)
    }
    return target
  }
}

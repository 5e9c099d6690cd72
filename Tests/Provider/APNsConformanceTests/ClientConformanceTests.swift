import APNs
import APNsConformance
import Testing

@Suite("Our client against the rules about clients", .timeLimit(.minutes(5)))
struct ClientConformanceTests {
  static let rules = (try? ConformanceRules.all().filter { $0.clientCase != nil }) ?? []

  /// Sends a task's pushes with our client, and each again as its outcome advises, if at once.
  private static func send(_ task: ClientTask) async throws -> [ClientReport] {
    var configuration = APNsClient.Configuration(
      credentials: .token(
        ProviderTokenCredentials(
          teamID: task.identity.teamID, keyID: task.identity.keyID,
          privateKeyPEM: task.identity.keyPEM)),
      endpoint: .custom(host: task.host, port: task.port))
    configuration.extraTrustPEM = task.authorityPEM
    configuration.requestTimeout = .seconds(10)
    let client = try APNsClient(configuration: configuration)
    let pushes = task.tokens.map { token in
      APNsNotification(
        deviceToken: token, topic: task.topic, payload: Array(task.payload.utf8))
    }
    var outcomes: [APNsOutcome] = []
    if task.isTogether {
      outcomes = await client.send(pushes)
    } else {
      for push in pushes { outcomes.append(await client.send(push)) }
    }
    for (index, outcome) in outcomes.enumerated() {
      let retry = outcome.retry(hasCollapseID: false)
      guard outcome.isAnswered, retry.isAllowed, retry.delay <= .seconds(1) else { continue }
      outcomes[index] = await client.send(pushes[index])
    }
    await client.close()
    return zip(task.tokens, outcomes).map { token, outcome in
      ClientReport(token: token, status: outcome.status, reason: outcome.reason?.rawValue)
    }
  }

  @Test("our client keeps each rule", arguments: rules)
  func keeps(rule: ConformanceRule) async throws {
    let result = try await ClientConformance(Self.send).check(rule)
    #expect(result.outcome == .held, "\(result.line)")
  }

  @Test("a client that sends nothing fails the rules that ask for a push")
  func silent() async throws {
    for id in ["client.request", "client.refused-token", "client.goaway", "client.one-connection"] {
      let rule = try #require(Self.rules.first { $0.id == id })
      let result = try await ClientConformance { _ in [] }.check(rule)
      #expect(result.outcome == .failed && result.problem != nil)
    }
  }

  @Test("a client that reports what did not come fails")
  func boasts() async throws {
    let rule = try #require(Self.rules.first { $0.id == "client.gone-token" })
    let result = try await ClientConformance { task in
      task.tokens.map { ClientReport(token: $0, status: 200, reason: nil) }
    }.check(rule)
    #expect(result.outcome == .failed)
    #expect(result.problem?.contains("requests for one push: 0, and not 1") == true)
  }

  @Test(
    "a line of a client is its report, and any other line is none",
    arguments: [
      ("0a0b 200", 200, nil), ("0a0b 410 Unregistered", 410, "Unregistered"),
      ("0a0b none", nil, nil), ("0a0b none timeout", nil, "timeout"),
    ] as [(String, Int?, String?)])
  func lines(line: String, status: Int?, reason: String?) throws {
    let report = try #require(ClientReport(line: line))
    #expect(report.token == "0a0b" && report.status == status && report.reason == reason)
  }

  @Test("other lines are ignored", arguments: ["", "0a0b", "0a0b accepted", "0a0b 400 Bad Token"])
  func otherLines(line: String) { #expect(ClientReport(line: line) == nil) }
}

extension APNsOutcome {
  fileprivate var isAnswered: Bool { kind == .answered }
}

import PushPayload
import _EventLoop
import _TLS

/// A run of the rules about servers against one server.
package struct ServerConformance: Sendable {
  private let target: ServerTarget
  /// Returns the time in seconds since 1970.
  private let now: @Sendable () -> Int64

  /// Makes a run.
  ///
  /// - Parameters:
  ///   - target: The server.
  ///   - now: Returns the time in seconds since 1970, which goes into provider tokens.
  package init(_ target: ServerTarget, now: @escaping @Sendable () -> Int64) {
    self.target = target
    self.now = now
  }

  /// Checks that the server takes a push without a fault; otherwise its refusals say nothing about the rules.
  ///
  /// - Throws: ``ConformanceError`` if it cannot be reached or refuses the push.
  package func checkThatPlainPushIsAccepted() async throws(ConformanceError) {
    do {
      let client = try await connect()
      var requests = ServerRequests(target, now: now())
      let answer = try await client.send(try requests.make(ServerCase.Request()))
      await client.close()
      guard answer.status == 200 else {
        throw ConformanceError(
          .notAccepted,
          "\(target.host):\(target.port) answers a push without a fault with \(answer.summary); "
            + "give it a device token, a topic and a provider key that it knows")
      }
    } catch let error as ConformanceError { throw error } catch {
      throw ConformanceError(
        .unreachable,
        "cannot talk to \(target.host):\(target.port): \(error); is it HTTP/2 over TLS, with a "
          + "certificate that is trusted?", cause: error)
    }
  }

  /// Checks one rule on a connection of its own.
  ///
  /// - Parameter rule: The rule.
  /// - Returns: The result, which is skipped for a rule that is not about servers.
  package func check(_ rule: ConformanceRule) async -> ConformanceResult {
    guard let test = rule.serverCase else {
      return ConformanceResult(rule, .skipped, problem: "it is not a rule about servers")
    }
    if let missing = missing(test.needs) {
      return ConformanceResult(rule, .skipped, problem: missing)
    }
    var result = ConformanceResult(rule, .held)
    do {
      let client = try await connect()
      do {
        var requests = ServerRequests(target, now: now())
        for step in test.steps where result.outcome == .held {
          try await perform(step, on: client, requests: &requests, result: &result)
        }
      } catch {
        await client.close()
        throw error
      }
      await client.close()
    } catch {
      result.outcome = .failed
      result.came.append("no answer")
      result.problem = "\(error)"
    }
    return result
  }

  private func missing(_ need: ServerCase.Need?) -> String? {
    switch need {
    case .providerKey where !target.verifiesSignatures:
      "the server is not known to verify signatures"
    case .goneToken where target.goneToken == nil: "no device token is known to be gone"
    default: nil
    }
  }

  private func perform(
    _ step: ServerCase.Step, on client: RawClient, requests: inout ServerRequests,
    result: inout ConformanceResult
  ) async throws {
    var problems: [String] = []
    if step.ping == true {
      result.sent.append("PING")
      try await client.ping()
      result.came.append("PING with ACK")
    } else if let send = step.send {
      let request = try requests.make(send)
      let count = step.times ?? 1
      result.sent.append(request.summary + (count == 1 ? "" : ", \(count) times at once"))
      let answers = try await client.send(Array(repeating: request, count: count))
      let summaries = Set(answers.map(\.summary)).sorted()
      result.came.append(summaries.joined(separator: ", "))
      for answer in answers where problems.isEmpty {
        problems = step.expect.problems(in: answer, requests)
      }
      for (name, field) in step.keep ?? [:] {
        if let value = answers.first?.headers[field] { requests.keep(value, as: name) }
      }
    }
    if step.expect.streams != nil {
      let limit = await client.streamLimit
      if step.send == nil {
        result.sent.append("connection")
        result.came.append("SETTINGS with \(limit.map(String.init) ?? "any number of") streams")
      }
      if let problem = step.expect.problem(ofStreams: limit) { problems.append(problem) }
    }
    guard !problems.isEmpty else { return }
    result.outcome = .failed
    result.problem = problems.joined(separator: "; ")
  }

  private func connect() async throws -> RawClient {
    try await RawClient.connect(
      host: target.host, port: target.port,
      trust: try TLSContext.client(extraTrustPEM: target.trustPEM), timeout: target.timeout)
  }
}

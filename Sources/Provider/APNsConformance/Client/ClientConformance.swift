import _TLS

/// A run of the rules about clients with one client.
package struct ClientConformance: Sendable {
  private let send: @Sendable (ClientTask) async throws -> [ClientReport]

  /// Makes a run.
  ///
  /// - Parameter send: Makes the client send its pushes, and returns their results once all have ended.
  package init(_ send: @escaping @Sendable (ClientTask) async throws -> [ClientReport]) {
    self.send = send
  }

  /// Checks one rule, with a server of its own on this machine.
  ///
  /// - Parameter rule: The rule.
  /// - Returns: The result, which is skipped for a rule that is not about clients.
  /// - Throws: ``ConformanceError`` if the server of the case cannot be started.
  package func check(_ rule: ConformanceRule) async throws(ConformanceError) -> ConformanceResult {
    guard let test = rule.clientCase else {
      return ConformanceResult(rule, .skipped, problem: "it is not a rule about clients")
    }
    var result = ConformanceResult(rule, .held)
    let (peer, task) = try await start(test)
    result.sent.append("\(task.tokens.count) pushes\(task.isTogether ? " at once" : "")")
    do {
      let reports = try await send(task)
      let requests = await peer.requests
      result.came.append(Self.summary(requests, reports))
      let problems = test.expect.problems(in: requests, reports, of: task)
      if !problems.isEmpty {
        result.outcome = .failed
        result.problem = problems.joined(separator: "; ")
      }
    } catch {
      result.outcome = .failed
      result.came.append("no result")
      result.problem = "the client failed: \(error)"
    }
    await peer.stop()
    return result
  }

  private func start(
    _ test: ClientCase
  ) async throws(ConformanceError) -> (ScriptedPeer, ClientTask) {
    do {
      let identity = try ProviderIdentity.made()
      let authority = try CertificateAuthority()
      let certificate = test.peer?.certificate
      let issuer = certificate == .untrusted ? try CertificateAuthority() : authority
      let leaf = try issuer.issue(
        hosts: certificate == .otherHost ? ["other.example"] : ["127.0.0.1", "localhost"])
      let peer = try ScriptedPeer(test, certificatePEM: leaf.certificatePEM, keyPEM: leaf.keyPEM)
      let tokens =
        test.token.map { [$0] }
        ?? (1...max(1, test.pushes ?? 1)).map { number in
          let digits = String(number, radix: 16)
          return String(repeating: "0", count: 64 - digits.count) + digits
        }
      let task = ClientTask(
        port: try await peer.start(), authorityPEM: authority.certificatePEM, identity: identity,
        tokens: tokens, isTogether: test.together ?? false)
      return (peer, task)
    } catch {
      throw ConformanceError(
        .system, "the server of a case cannot be started: \(error)", cause: error)
    }
  }

  private static func summary(
    _ requests: [PeerScript.Request], _ reports: [ClientReport]
  ) -> String {
    let connections = Set(requests.map(\.connection)).count
    let tokens = Set(requests.map(\.authorization)).count
    let results = Dictionary(reports.map { ($0.text, 1) }, uniquingKeysWith: +)
      .sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
    return "\(requests.count) requests on \(connections) connections with \(tokens) provider "
      + "tokens; reported \(results.isEmpty ? "nothing" : results)"
  }
}

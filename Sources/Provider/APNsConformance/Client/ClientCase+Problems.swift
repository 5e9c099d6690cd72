import Foundation
import PushPayload

extension ClientCase.Expectation {
  /// The differences of what a client did from what the rule asks for.
  ///
  /// - Parameters:
  ///   - requests: The requests that came.
  ///   - reports: The results that the client reported.
  ///   - task: The pushes that it had to send.
  /// - Returns: A sentence for each difference.
  func problems(
    in requests: [PeerScript.Request], _ reports: [ClientReport], of task: ClientTask
  ) -> [String] {
    let byToken = Dictionary(grouping: requests, by: \.token)
    var problems: [String] = []
    func check(_ what: String, _ count: Int, in range: [Int]?) {
      guard let range, range.count == 2, !(range[0]...max(range[0], range[1]) ~= count) else {
        return
      }
      let wanted = range[0] == range[1] ? "\(range[0])" : "\(range[0]) to \(range[1])"
      problems.append("\(what): \(count), and not \(wanted)")
    }
    for token in task.tokens where problems.isEmpty {
      let own = byToken[token.lowercased()] ?? []
      check("requests for one push", own.count, in: self.requests)
      if sameID == true, Set(own.map { $0.fields["apns-id"] }).count > 1 {
        problems.append("a repeated push has another apns-id")
      }
      let report = reports.first { $0.token.lowercased() == token.lowercased() }
      if let results, !results.contains(report?.text ?? "not reported") {
        problems.append(
          "the client reports \(report?.text ?? "nothing"), and not "
            + results.joined(separator: " or "))
      }
    }
    check("connections", Set(requests.map(\.connection)).count, in: connections)
    check("provider tokens", Set(requests.map(\.authorization)).count, in: providerTokens)
    return problems + contentProblems(in: requests, of: task)
  }

  private func contentProblems(
    in requests: [PeerScript.Request], of task: ClientTask
  ) -> [String] {
    var problems: [String] = []
    for request in requests where problems.isEmpty {
      for (name, value) in (headers ?? [:]).sorted(by: { $0.key < $1.key }) {
        let wanted = value.replacing("{topic}", with: task.topic)
          .replacing("{token}", with: task.tokens[0])
        let came = request.fields[name]
        if came != wanted {
          problems.append("\(name) is \(came ?? "not there"), and not \(wanted)")
        }
      }
      if validToken == true,
        let problem = task.identity.problem(inAuthorization: request.authorization)
      {
        problems.append(problem)
      }
      if payload == true,
        (try? JSONValue(parsing: Data(request.body))) != (try? JSONValue(parsing: task.payload))
      {
        problems.append("the payload is not the one that was given")
      }
    }
    return problems
  }
}

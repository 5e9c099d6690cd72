import PushPayload

extension ServerCase.Answer {
  /// The differences of an answer to a request from what the rule asks for.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - requests: The values of placeholders.
  /// - Returns: A sentence for each difference.
  func problems(in answer: RawAnswer, _ requests: ServerRequests) -> [String] {
    var problems: [String] = []
    if let status, !status.contains(answer.status) {
      problems.append("the status is \(answer.status), and not \(list(status.map(String.init)))")
    }
    if let reason {
      let came = answer.json?["reason"]?.string
      if !reason.contains(came ?? "") {
        problems.append("the reason is \(came ?? "not there"), and not \(list(reason))")
      }
    }
    for (name, value) in (headers ?? [:]).sorted(by: { $0.key < $1.key }) {
      if let problem = problem(of: name, answer.headers[name], expected: value, requests) {
        problems.append(problem)
      }
    }
    if empty == true, !answer.body.isEmpty {
      problems.append("the body has \(answer.body.count) bytes, and should be empty")
    }
    if let timestamp {
      // The year 2001 in milliseconds; seconds of this century are below it.
      let came = answer.json?["timestamp"]
      let isTime = (came?.integer ?? 0) > 978_307_200_000
      if timestamp ? !isTime : came != nil {
        problems.append(
          timestamp
            ? "the body has no timestamp in milliseconds" : "the body has a timestamp")
      }
    }
    for (name, value) in (body ?? [:]).sorted(by: { $0.key < $1.key })
    where answer.json?[name] != value {
      problems.append("the body's \(name) is not \(JSONValue.object([name: value]).text)")
    }
    return problems
  }

  /// The difference of the number of streams that the server allows.
  func problem(ofStreams limit: Int?) -> String? {
    guard let streams, streams.count == 2 else { return nil }
    let came = limit ?? Int.max
    guard !(streams[0]...streams[1] ~= came) else { return nil }
    return "the server allows \(limit.map(String.init) ?? "any number of") streams, and not "
      + (streams[0] == streams[1] ? "\(streams[0])" : "\(streams[0]) or more")
  }

  private func problem(
    of name: String, _ came: String?, expected: JSONValue, _ requests: ServerRequests
  ) -> String? {
    guard let text = expected.string else {
      return came == nil ? nil : "there is a field \(name)"
    }
    guard let came else { return "there is no field \(name)" }
    switch text {
    case "{uuid}": return came.isUUID ? nil : "\(name) is not a UUID: \(came.prefix(80))"
    case "{any}": return nil
    default:
      // Apple's own ids are in upper case in some answers and in lower case in others.
      let wanted = requests.filled(text)
      return came.lowercased() == wanted.lowercased()
        ? nil : "\(name) is \(came.prefix(80)), and not \(wanted)"
    }
  }

  private func list(_ texts: [String]) -> String { texts.joined(separator: " or ") }
}

extension JSONValue {
  var text: String { String(decoding: serialized(), as: UTF8.self) }
}

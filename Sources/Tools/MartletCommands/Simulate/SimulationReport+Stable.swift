import PushPayload

extension SimulationReport {
  /// The JSON without values that differ from run to run.
  ///
  /// Elapsed and traced times are 0, countdowns begin in 1970, and the peak memory is null. An attachment's identifier
  /// is its number, and its path that number with the file's extension. A category that the extension registers has the
  /// time 0 in its identifier. Consecutive trace events of one stage are sorted, because media are fetched
  /// concurrently.
  var stableJSON: JSONValue {
    var report = self
    report.delivered = 0
    var members = report.json.object ?? [:]
    if var run = members["extension"]?.object {
      run["elapsedSeconds"] = 0
      run["peakMemoryBytes"] = .null
      members["extension"] = .object(run)
    }
    members["attachments"] = Self.map(members["attachments"]) { index, attachment in
      attachment["identifier"] = .string(String(index + 1))
      guard let name = attachment["path"]?.string?.split(separator: "/").last else { return }
      let pathExtension = name.contains(".") ? "." + (name.split(separator: ".").last ?? "") : ""
      attachment["path"] = .string("\(index + 1)\(pathExtension)")
    }
    members["trace"] = Self.map(members["trace"]) { $1["at"] = 0 }.map(Self.sortedByStage)
    return Self.withoutCategoryTimes(.object(members))
  }

  /// A value in whose strings the time at which a category was registered is replaced with 0.
  private static func withoutCategoryTimes(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text):
      let time = /(martlet\.buttons\.)[0-9a-f]{8}\./
      return .string(text.replacing(time) { $0.output.1 + "00000000." })
    case .array(let items): return .array(items.map(withoutCategoryTimes))
    case .object(let members): return .object(members.mapValues(withoutCategoryTimes))
    default: return value
    }
  }

  private static func sortedByStage(_ trace: JSONValue) -> JSONValue {
    var runs: [[JSONValue]] = []
    for event in trace.array ?? [] {
      if runs.last?.last?["stage"] == event["stage"] {
        runs[runs.count - 1].append(event)
      } else {
        runs.append([event])
      }
    }
    func key(_ event: JSONValue) -> (String, String) {
      (event["rule"]?.string ?? "", event["message"]?.string ?? "")
    }
    return .array(runs.flatMap { $0.sorted { key($0) < key($1) } })
  }

  private static func map(
    _ items: JSONValue?, _ change: (_ index: Int, inout [String: JSONValue]) -> Void
  ) -> JSONValue? {
    guard let items = items?.array else { return items }
    return .array(
      items.enumerated().map { index, item in
        guard var members = item.object else { return item }
        change(index, &members)
        return .object(members)
      })
  }
}

import PushPayload

extension SimulationReport {
  /// The JSON without what differs from run to run.
  ///
  /// Elapsed and traced times are 0, the peak memory is null, an attachment's identifier is its number,
  /// and its path that number with the file's extension.
  var stableJSON: JSONValue {
    var members = json.object ?? [:]
    if var run = members["extension"]?.object {
      run["elapsedSeconds"] = 0
      run["peakMemoryBytes"] = .null
      members["extension"] = .object(run)
    }
    members["attachments"] = Self.map(members["attachments"]) { index, attachment in
      let name = attachment["path"]?.string?.split(separator: "/").last ?? ""
      let pathExtension = name.contains(".") ? "." + (name.split(separator: ".").last ?? "") : ""
      attachment["identifier"] = .string(String(index + 1))
      attachment["path"] = .string("\(index + 1)\(pathExtension)")
    }
    members["trace"] = Self.map(members["trace"]) { $1["at"] = 0 }
    return .object(members)
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

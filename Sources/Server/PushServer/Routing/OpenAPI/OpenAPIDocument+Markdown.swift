extension OpenAPIDocument {
  /// Returns the table of routes in `docs/server/api.md`.
  static func markdown(_ routes: [Route]) -> String {
    var rows = ["| Method, path | Role | |", "|---|---|---|"]
    var seen: Set<String> = []
    for route in routes {
      guard let operation = route.operation, seen.insert(operation.id).inserted else { continue }
      let isVersioned = route.pattern.first == "v4"
      let path = route.path
      let shown = isVersioned ? "/vN" + path.dropFirst(3) : path
      let role = route.access?.text ?? "none"
      let status = operation.status == 200 ? "" : " \(operation.status)."
      rows.append(
        "| `\(route.method) \(shown)` | \(role) | \(operation.summary)\(status) |")
    }
    return rows.joined(separator: "\n")
  }
}

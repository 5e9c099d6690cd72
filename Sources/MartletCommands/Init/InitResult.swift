import PushPayload

/// What `martlet init` wrote, and what remains to be done.
struct InitResult: Sendable {
  /// The files that were written or changed.
  let paths: [String]
  let project: ExtensionProject
  /// Why nothing was written.
  var note: String?
  /// The app's iOS deployment target where it is older than Martlet's.
  var oldSystem: String?

  private var steps: [String] {
    if note != nil { return [] }
    let raise = oldSystem.map { system in
      "Raise the iOS deployment target of \(project.appName) from \(system) to 16.0 or later, and the "
        + "extension's with it: Martlet needs it."
    }
    return (raise.map { [$0] } ?? []) + project.steps
  }

  func lines(isQuiet: Bool) -> [String] {
    var lines = paths + (note.map { [$0] } ?? [])
    if !isQuiet, !steps.isEmpty {
      lines.append("next:")
      lines += steps.enumerated().map { "  \($0 + 1). \($1)" }
    }
    return lines
  }

  var json: JSONValue {
    [
      "files": .array(paths.map(JSONValue.string)),
      "bundleID": .string(project.extensionID), "appGroup": .string(project.appGroup),
      "steps": .array(steps.map(JSONValue.string)),
    ]
  }
}

import PushPayload

/// `martlet check-server`: checks the machine and the settings that `martlet serve` would use.
struct CheckServerCommand: CheckingCommand {
  enum Options {
    static let failOn = Option(
      "--fail-on", .oneOf(["error", "warning", "note"]), default: "error",
      help: "the least result that makes the exit code 1")
  }

  static let name = "check-server"
  static let summary = "check the machine and the settings that serve would use"
  static let options =
    ServeSettings.Options.all.filter { $0.definition.name != "--check" }
    + [Options.failOn, CommonOptions.json]
  static let discussion = """
    It takes the options of serve, from the same places, and starts and changes nothing: run it as
    the user of the server, also while it runs. It looks at the files that options name, the mode of
    the secret key, the certificate's days, disk, open files, the clock, the database's settings, and
    whether APNs answers, to which it sends one silent push for a device that does not exist. --quiet
    prints only what is not ok. See docs/server/operations.md.
    """

  private let arguments: Arguments
  private let failOn: ServerCheck.Result
  private let isQuiet: Bool

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    // An option may go together with one in the file of --config, which run(_:) reads.
    if try arguments[ServeSettings.Options.config] == nil { _ = try ServeSettings(arguments) }
    failOn = ServerCheck.Result(rawValue: try arguments[Options.failOn]) ?? .error
    isQuiet = arguments[CommonOptions.quiet]
  }

  func run(_ console: Console) async throws -> ExitCode {
    let arguments = try arguments.withConfigurationFile()
    let facts = await ServerFacts(
      try ServeSettings(arguments),
      unknownVariables: arguments.unknownVariables(knows: CommandTable.variables))
    let checks = facts.checks
    let counts = Dictionary(grouping: checks, by: \.result).mapValues(\.count)
    func count(_ result: ServerCheck.Result) -> Int { counts[result] ?? 0 }
    if arguments[CommonOptions.json] {
      let report: JSONValue = [
        "errors": .integer(Int64(count(.error))), "warnings": .integer(Int64(count(.warning))),
        "notes": .integer(Int64(count(.note))), "checks": .array(checks.map(\.json)),
      ]
      console.print(report.line)
    } else {
      for check in checks where !isQuiet || check.result != .ok { console.print(check.text) }
      let words = [ServerCheck.Result.error, .warning, .note].compactMap { result -> String? in
        let number = count(result)
        return number == 0 ? nil : "\(number) \(result.rawValue)\(number == 1 ? "" : "s")"
      }
      console.print(
        (words.isEmpty ? "nothing found" : words.joined(separator: ", "))
          + "; \(count(.ok)) of \(checks.count) checks are ok")
    }
    // The cases are in descending order of severity.
    let counted = ServerCheck.Result.allCases.prefix { $0 != failOn } + [failOn]
    return counted.contains { count($0) > 0 } ? .failure : .success
  }
}

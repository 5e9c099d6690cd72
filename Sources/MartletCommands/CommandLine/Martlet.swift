import NotificationPreview

/// The command line: finds the command, runs it, says how it ended.
package struct Martlet: Sendable {
  package static let version = "0.1.0"

  /// Every command, in the order the help lists them.
  package static let commands: [Verb] = [
    Verb(ServeCommand.self),
    Verb(AppsCreateCommand.self),
    Verb(AppsListCommand.self),
    Verb(AppsDeleteCommand.self),
    Verb(KeysCreateCommand.self),
    Verb(KeysListCommand.self),
    Verb(KeysRevokeCommand.self),
    Verb(DevicesImportCommand.self),
    Verb(BackupCommand.self),
    Verb(RestoreCommand.self),
    Verb(SimulateCommand.self),
    Verb(LintCommand.self),
    Verb(SendCommand.self),
    Verb(SandboxCommand.self),
    Verb(InitCommand.self),
    Verb(DoctorCommand.self),
    Verb(DemoCommand.self),
  ]

  package init() {}

  /// Runs one command line and returns its exit code; every error ends as one line on stderr.
  ///
  /// What did not reach standard output is an error too, so that no script takes half a result for one.
  package func run(_ line: [String], _ console: Console) async -> ExitCode {
    let code = await obey(line, console)
    guard console.hasLostOutput() else { return code }
    console.printError(
      "martlet: cannot write standard output: is it open, and the disk not full?")
    return code == .yes ? .no : code
  }

  private func obey(_ line: [String], _ console: Console) async -> ExitCode {
    if line.first == SimulatedEngine.verb { SimulatedEngine.serve() }
    if line.isEmpty || line.first == "--help" || line.first == "help" {
      console.print(Self.help)
      return line.isEmpty ? .usedWrongly : .yes
    }
    if line.first == "--version" {
      console.print("martlet \(Self.version)")
      return .yes
    }
    guard let command = Self.command(for: line) else {
      let near = Self.commands.filter { $0.name.hasPrefix(line[0]) }.map(\.name)
      let hint = near.isEmpty ? "see martlet --help" : "it has \(near.joined(separator: ", "))"
      console.printError("martlet: no command \"\(line[0])\"; \(hint)")
      return .usedWrongly
    }
    let words = line.dropFirst(command.name.split(separator: " ").count)
    if words.prefix(while: { $0 != "--" }).contains("--help") {
      console.print(Self.help(for: command))
      return .yes
    }
    return await command.run(words, console)
  }

  /// The command whose words begin the line; the longest where several do.
  private static func command(for line: [String]) -> Verb? {
    commands
      .filter { line.starts(with: $0.name.split(separator: " ").map(String.init)) }
      .max { $0.name.count < $1.name.count }
  }

  static var help: String {
    let width = commands.map(\.name.count).max() ?? 0
    let list = commands.map { "  " + padded($0.name, to: width) + "  " + $0.summary }
    return """
      martlet: rich push notifications for iOS, end to end, on your own machine

      \(list.joined(separator: "\n"))

      martlet COMMAND --help explains one; martlet --version says which this is.
      """
  }

  static func help(for command: Verb) -> String {
    let options = command.options + [.help]
    let labels = options.map { option in option.value.map { "\(option.name) \($0)" } ?? option.name
    }
    let width = labels.map(\.count).max() ?? 0
    let lines = zip(labels, options).map { label, option in
      "  " + padded(label, to: width) + "  " + option.help
        + (option.isRepeatable ? " (repeatable)" : "")
    }
    let operands = command.operands.isEmpty ? "" : " " + command.operands
    return """
      martlet \(command.name): \(command.summary)

      usage: martlet \(command.name) [options]\(operands)

      \(lines.joined(separator: "\n"))
      """
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

/// A command type as a value, so that a list can hold many.
package struct Verb: Sendable {
  let name: String
  let summary: String
  let operands: String
  let options: [Option]
  let run: @Sendable (ArraySlice<String>, Console) async -> ExitCode

  init<C: Command>(_ command: C.Type) {
    name = C.name
    summary = C.summary
    operands = C.operands
    let options = C.options + [.quiet]
    self.options = options
    run = { words, console in
      do {
        return try await C(Arguments(words, options: options)).run(console)
      } catch {
        console.printError("martlet \(C.name): \(error)")
        return error is UsageError ? .usedWrongly : .no
      }
    }
  }
}

import Testing

@testable import MartletCommands

@Suite("Help and version")
struct HelpTests {
  private func run(_ words: String...) async -> (code: ExitCode, output: String, error: String) {
    let console = RecordingConsole()
    let code = await runMartlet(words, console.console)
    return (code, console.output.joined(separator: "\n"), console.errors.joined(separator: "\n"))
  }

  @Test("help, --help and -h list every command", arguments: ["help", "--help", "-h"])
  func overview(word: String) async {
    let result = await run(word)
    #expect(result.code == .success)
    for command in CommandTable.commands {
      #expect(result.output.contains("  \(command.name) "))
      #expect(result.output.contains(command.summary))
    }
  }

  @Test("a command's help is the same in each way that asks for it")
  func command() async {
    let help = await run("help", "apps", "create").output
    #expect(help.hasPrefix("martlet apps create: "))
    #expect(await run("apps", "create", "--help").output == help)
    #expect(await run("apps", "create", "-h").output == help)
    #expect(await run("apps", "create", "--bundle-id", "a", "--help").output == help)
    #expect(help.contains("usage: martlet apps create --bundle-id ID"))
    #expect(help.contains("MARTLET_DATA for --data"))
  }

  @Test("every command's help names each option and its operand", arguments: CommandTable.commands)
  func complete(command: CommandEntry) async {
    let help = HelpText.text(command)
    for option in command.options {
      #expect(help.contains("\n  \(HelpText.label(option))"))
      #expect(!option.help.isEmpty && !option.help.hasSuffix("."))
    }
    #expect(command.operand.map { help.contains("\n  \($0.name)  ") } ?? true)
    #expect(help.contains("exit codes:\n  0  "))
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test("a group's help lists its subcommands", arguments: CommandTable.groups.map(\.name))
  func group(name: String) async throws {
    let group = try #require(CommandTable.groups.first { $0.name == name })
    let help = await run(name, "--help")
    #expect(help.code == .success)
    #expect(await run(name, "-h").output == help.output)
    #expect(await run("help", name).output == help.output)
    for command in group.commands { #expect(help.output.contains("  \(command.name)  ")) }
    #expect(await run(name).code == .invalidInput)
  }

  @Test("--version prints the version")
  func version() async {
    #expect(await run("--version").output == "martlet \(Martlet.version)")
  }

  @Test(
    "an unknown command is exit 2, with the nearest one",
    arguments: [
      (["simulat"], #"martlet: unknown command "simulat"; did you mean simulate?"#),
      (["apps", "crate"], #"martlet: unknown command "apps crate"; did you mean apps create?"#),
      (["aps", "list"], #"martlet: unknown command "aps"; did you mean apps?"#),
      (["help", "lnt"], #"martlet: unknown command "lnt"; did you mean lint?"#),
      (["wholly-else"], #"martlet: unknown command "wholly-else"; see martlet --help"#),
      (["--json"], #"martlet: unknown option "--json"; see martlet --help"#),
      (["apps"], "martlet apps: missing a subcommand: create, list, delete"),
      (
        ["lint", "--formt", "json"], "martlet lint: unknown option --formt; did you mean --format?"
      ),
    ])
  func unknown(line: [String], message: String) async {
    let console = RecordingConsole()
    #expect(await runMartlet(line, console.console) == .invalidInput)
    #expect(console.errors == [message] && console.output.isEmpty)
  }

  @Test("an empty command line is exit 2")
  func empty() async { #expect(await run().code == .invalidInput) }

  @Test("no two options of a command have the same name", arguments: CommandTable.commands)
  func unique(command: CommandEntry) {
    let names = command.options.map(\.name)
    #expect(Set(names).count == names.count)
  }
}

extension CommandEntry: CustomTestStringConvertible {
  public var testDescription: String { name }
}

import PushPayload

/// The commands of `martlet`, in the order of the help.
package enum CommandTable {
  package static let commands: [CommandEntry] = [
    CommandEntry(ServeCommand.self),
    CommandEntry(ConfigPrintCommand.self),
    CommandEntry(CheckServerCommand.self),
    CommandEntry(AppsCreateCommand.self),
    CommandEntry(AppsListCommand.self),
    CommandEntry(AppsDeleteCommand.self),
    CommandEntry(KeysCreateCommand.self),
    CommandEntry(KeysListCommand.self),
    CommandEntry(KeysRevokeCommand.self),
    CommandEntry(AccountsInviteCommand.self),
    CommandEntry(AccountsListCommand.self),
    CommandEntry(AccountsResetCommand.self),
    CommandEntry(AccountsRemoveCommand.self),
    CommandEntry(IdentityKeysAddCommand.self),
    CommandEntry(IdentityKeysListCommand.self),
    CommandEntry(IdentityKeysRemoveCommand.self),
    CommandEntry(SecretKeyRotateCommand.self),
    CommandEntry(DatabaseDivideCommand.self),
    CommandEntry(DevicesImportCommand.self),
    CommandEntry(DevicesExportCommand.self),
    CommandEntry(BackupCommand.self),
    CommandEntry(RestoreCommand.self),
    CommandEntry(SimulateCommand.self),
    CommandEntry(ExplainCommand.self),
    CommandEntry(LintCommand.self),
    CommandEntry(SendCommand.self),
    CommandEntry(SandboxCommand.self),
    CommandEntry(ConformanceCommand.self),
    CommandEntry(InitCommand.self),
    CommandEntry(DoctorCommand.self),
    CommandEntry(DemoCommand.self),
    CommandEntry(CompletionsCommand.self),
    CommandEntry(ManualCommand.self),
  ]

  /// The groups of commands that share their first word.
  static let groups: [CommandGroup] = [
    CommandGroup(name: "config", summary: "show what serve reads from where"),
    CommandGroup(name: "apps", summary: "create, list and delete the apps of a server"),
    CommandGroup(name: "keys", summary: "create, list and revoke API keys"),
    CommandGroup(name: "accounts", summary: "invite, list and remove the people of the dashboard"),
    CommandGroup(
      name: "identity-keys", summary: "the public keys that verify an app's user tokens"),
    CommandGroup(name: "secret-key", summary: "replace the secret that encrypts the store's keys"),
    CommandGroup(name: "database", summary: "divide a database among several servers"),
    CommandGroup(name: "devices", summary: "import and export devices"),
  ]

  /// The result of looking up the first words of a command line.
  enum Match {
    case command(CommandEntry)
    case group(CommandGroup)
    /// The unknown words, and the nearest name.
    case unknown(String, nearest: String?)
  }

  /// The environment variables that at least one command reads.
  static var variables: Set<String> {
    let options = commands.flatMap(\.options).filter(\.isInEnvironment)
    return Set(options.map(\.variable)).union([ServerClient.variable])
  }

  /// Finds the command or group for the first words of a line.
  static func match(_ line: some Collection<String>) -> Match {
    if let command = commands.first(where: { line.starts(with: $0.words) }) {
      return .command(command)
    }
    let first = line.first ?? ""
    guard let group = groups.first(where: { $0.name == first }) else {
      let names = commands.compactMap(\.words.first)
      return .unknown(first, nearest: NearestName.find(first, among: names))
    }
    guard let second = line.dropFirst().first, !second.hasPrefix("-") else { return .group(group) }
    let near = NearestName.find(second, among: group.commands.compactMap(\.words.last))
    return .unknown("\(first) \(second)", nearest: near.map { "\(first) \($0)" })
  }
}

/// Commands that share their first word.
struct CommandGroup: Sendable {
  let name: String
  let summary: String

  var commands: [CommandEntry] { CommandTable.commands.filter { $0.words.first == name } }
}

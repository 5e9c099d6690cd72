/// `martlet completions`: prints the completions of a shell.
struct CompletionsCommand: Command {
  enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

  static let name = "completions"
  static let summary = "print the completions for bash, zsh or fish"
  static let discussion = """
    bash: source <(martlet completions bash)

    zsh: martlet completions zsh > FOLDER/_martlet, where FOLDER is in $fpath

    fish: martlet completions fish > ~/.config/fish/completions/martlet.fish
    """
  static let operand: Operand? = Operand(
    "SHELL", .one, completion: .words(Shell.allCases.map(\.rawValue)), help: "bash, zsh or fish")

  private let shell: Shell

  init(_ arguments: Arguments) throws {
    guard let shell = Shell(rawValue: arguments.operands[0]) else {
      throw UsageError("SHELL is bash, zsh or fish, not \"\(arguments.operands[0])\"")
    }
    self.shell = shell
  }

  func run(_ console: Console) async throws -> ExitCode {
    switch shell {
    case .bash: console.print(BashCompletions.script)
    case .zsh: console.print(ZshCompletions.script)
    case .fish: console.print(FishCompletions.script)
    }
    return .success
  }
}

extension CommandTable {
  /// The first word of each command, once, with a summary.
  static var firstWords: [(word: String, summary: String)] {
    var seen: Set<String> = []
    let words = commands.compactMap { command -> (word: String, summary: String)? in
      guard let word = command.words.first, seen.insert(word).inserted else { return nil }
      let group = groups.first { $0.name == word }
      return (word, group?.summary ?? command.summary)
    }
    return words + [("help", "explain a command")]
  }
}

/// The completions for zsh, as a file in `$fpath` or to be sourced after `compinit`.
enum ZshCompletions {
  static var script: String {
    """
    #compdef martlet
    # Completions of martlet for zsh: martlet completions zsh > FOLDER/_martlet, where FOLDER is in $fpath
    _martlet() {
      local -a martlet_words
      if [[ $words[2] == help ]]; then
        shift words
        (( CURRENT-- ))
      fi
      if (( CURRENT <= 2 )); then
        martlet_words=(
    \(words(CommandTable.firstWords.map { ($0.word, $0.summary) }, indent: 6))
        )
        _describe -t commands command martlet_words
        _arguments '--help[show the commands]' '--version[print the version]'
        return
      fi
      case $words[2] in
    \(branches)
      esac
    }
    if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
      _martlet "$@"
    else
      compdef _martlet martlet
    fi
    """
  }

  private static var branches: String {
    let single = CommandTable.commands.filter { $0.words.count == 1 }.map { command in
      "    \(command.name))\n\(arguments(command, indent: 6))\n      ;;"
    }
    return (single + CommandTable.groups.map(branch)).joined(separator: "\n")
  }

  private static func branch(_ group: CommandGroup) -> String {
    let commands = group.commands.map { ($0.words.last ?? "", $0.summary) }
    let branches = group.commands.map { command in
      "        \(command.words.last ?? ""))\n\(arguments(command, indent: 10))\n          ;;"
    }
    return """
          \(group.name))
            if (( CURRENT == 3 )); then
              martlet_words=(
      \(words(commands, indent: 10))
              )
              _describe -t commands subcommand martlet_words
              return
            fi
            case $words[3] in
      \(branches.joined(separator: "\n"))
            esac
            ;;
      """
  }

  private static func words(_ words: [(String, String)], indent: Int) -> String {
    let space = String(repeating: " ", count: indent)
    return words.map { space + quoted("\($0):\($1)") }.joined(separator: "\n")
  }

  /// The completions of the options and of the operand, after the command's words.
  private static func arguments(_ command: CommandEntry, indent: Int) -> String {
    let space = String(repeating: " ", count: indent)
    var specs = command.options.map { option in
      let help = "[\(escaped(option.help, "[]"))]"
      guard let value = option.value else { return option.name + help }
      return (option.isRepeatable ? "*" : "") + option.name + "=" + help
        + ":\(escaped(value.placeholder, ":")):\(action(value.completion))"
    }
    if let operand = command.operand {
      let isSingle = operand.count == .one || operand.count == .atMostOne
      specs.append((isSingle ? "1" : "*") + ":\(operand.name):\(action(operand.completion))")
    }
    let count = command.words.count
    return """
      \(space)shift \(count) words
      \(space)(( CURRENT -= \(count) ))
      \(space)_arguments \\
      \(specs.map { "\(space)  \(quoted($0))" }.joined(separator: " \\\n"))
      """
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .nothing: " "
    case .files: "_files"
    case .folders: "_files -/"
    case .words(let words): "(\(words.joined(separator: " ")))"
    }
  }

  private static func escaped(_ text: String, _ characters: String) -> String {
    text.map { characters.contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}

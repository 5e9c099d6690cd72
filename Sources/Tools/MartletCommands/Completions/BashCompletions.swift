/// The completions for bash 4 or later, which do not need bash-completion.
enum BashCompletions {
  static var script: String {
    """
    # Completions of martlet for bash: source <(martlet completions bash)
    _martlet() {
      local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command IFS=$'\\n'
      COMPREPLY=()
      # bash makes three words of --format=json.
      if [[ $word == = ]]; then
        word=
      elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD-2]}
      fi
      local words=("${COMP_WORDS[@]:1:COMP_CWORD-1}")
      if [[ ${words[0]} == help ]]; then words=("${words[@]:1}"); fi
      case ${words[0]} in
        "") command= ;;
        \(CommandTable.groups.map(\.name).joined(separator: " | "))) command="${words[0]} ${words[1]}" ;;
        *) command=${words[0]} ;;
      esac
      case $command in
    \(branches)
      esac
    }
    _martlet_words() { COMPREPLY=($(compgen -W "$(printf '%s\\n' "${@:2}")" -- "$1")); }
    _martlet_files() { compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$1")); }
    _martlet_folders() { compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$1")); }
    complete -F _martlet martlet
    """
  }

  private static var branches: String {
    let first = CommandTable.firstWords.map(\.word) + ["--help", "--version"]
    var branches = ["    \"\") _martlet_words \"$word\" \(first.joined(separator: " ")) ;;"]
    branches += CommandTable.groups.map { group in
      let words = group.commands.compactMap(\.words.last).joined(separator: " ")
      return "    \"\(group.name) \") _martlet_words \"$word\" \(words) --help ;;"
    }
    return (branches + CommandTable.commands.map(branch)).joined(separator: "\n")
  }

  private static func branch(_ command: CommandEntry) -> String {
    let values = command.options.compactMap { option in
      option.value.map { "        \(option.name)) \(complete($0.completion)) ;;" }
    }
    let names = command.options.map(\.name).joined(separator: " ")
    let operand = command.operand.map { complete($0.completion) } ?? ":"
    return """
          "\(command.name)")
            case $previous in
      \(values.isEmpty ? "        \"\") ;;" : values.joined(separator: "\n"))
              *)
                if [[ $word == -* ]]; then
                  _martlet_words "$word" \(names)
                else
                  \(operand)
                fi
                ;;
            esac
            ;;
      """
  }

  private static func complete(_ completion: Completion) -> String {
    switch completion {
    case .nothing: ":"
    case .files: "_martlet_files \"$word\""
    case .folders: "_martlet_folders \"$word\""
    case .words(let words): "_martlet_words \"$word\" \(words.joined(separator: " "))"
    }
  }
}

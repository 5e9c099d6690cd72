/// The completions for fish 3 or later.
enum FishCompletions {
  static var script: String {
    """
    # Completions of martlet for fish: martlet completions fish > ~/.config/fish/completions/martlet.fish
    function __martlet_words
        set -l words (commandline -opc)
        set -e words[1]
        if test "$words[1]" = help
            set -e words[1]
        end
        printf '%s\\n' $words
    end
    # Whether the words before the cursor are these.
    function __martlet_is
        set -l words (__martlet_words)
        test "$words" = "$argv"
    end
    # Whether the words before the cursor begin with these.
    function __martlet_in
        set -l words (__martlet_words)
        set -l count (count $argv)
        test "$words[1..$count]" = "$argv"
    end
    complete -c martlet -f
    \(lines.joined(separator: "\n"))
    """
  }

  private static var lines: [String] {
    var lines = CommandTable.firstWords.map { word, summary in
      line(in: "__martlet_is", "-a \(word) -d \(quoted(summary))")
    }
    lines.append(line(in: "__martlet_is", "-l help -d 'show the commands'"))
    lines.append(line(in: "__martlet_is", "-l version -d 'print the version'"))
    for group in CommandTable.groups {
      lines += group.commands.map { command in
        line(
          in: "__martlet_is \(group.name)",
          "-a \(command.words.last ?? "") -d \(quoted(command.summary))")
      }
    }
    for command in CommandTable.commands {
      let place = "__martlet_in \(command.name)"
      lines += command.options.map { option in
        let value = option.value.map { " " + Self.value($0.completion) } ?? ""
        return line(in: place, "-l \(option.key)\(value) -d \(quoted(option.help))")
      }
      switch command.operand?.completion {
      case .files: lines.append(line(in: place, "-F"))
      case .folders: lines.append(line(in: place, "-a \(folders)"))
      case .words(let words):
        lines.append(line(in: place, "-a \(quoted(words.joined(separator: " ")))"))
      case .nothing, nil: break
      }
    }
    return lines
  }

  private static let folders = "'(__fish_complete_directories (commandline -ct))'"

  private static func value(_ completion: Completion) -> String {
    switch completion {
    case .nothing: "-x"
    case .files: "-r -F"
    case .folders: "-x -a \(folders)"
    case .words(let words): "-x -a \(quoted(words.joined(separator: " ")))"
    }
  }

  private static func line(in place: String, _ rest: String) -> String {
    "complete -c martlet -n \(quoted(place)) \(rest)"
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}

/// The help of `martlet`, of a group and of a command.
enum HelpText {
  static var overview: String {
    """
    martlet: rich push notifications for iOS, end to end, on your own machine

    usage: martlet COMMAND [options]

    \(list(CommandTable.commands.map { ($0.name, $0.summary) }))

    martlet COMMAND --help explains a command, martlet --version prints the version.
    """
  }

  static func text(_ group: CommandGroup) -> String {
    """
    martlet \(group.name): \(group.summary)

    \(list(group.commands.map { ($0.name, $0.summary) }))

    martlet help \(group.name) SUBCOMMAND explains one.
    """
  }

  static func text(_ command: CommandEntry) -> String {
    var parts = ["martlet \(command.name): \(command.summary)", "usage: \(command.usage)"]
    if !command.discussion.isEmpty { parts.append(command.discussion) }
    if let operand = command.operand {
      parts.append(list([(operand.name, operand.help)]))
    }
    parts.append(list(command.options.map { (label($0), help($0)) }))
    if let note = environmentNote(command) { parts.append(note) }
    let codes = command.exitCodes.sorted { $0.key < $1.key }
    parts.append("exit codes:\n" + list(codes.map { (String($0.key.rawValue), $0.value) }))
    return parts.joined(separator: "\n\n")
  }

  /// The label of an option, such as `--listen HOST:PORT`.
  static func label(_ option: OptionDefinition) -> String {
    option.value.map { "\(option.name) \($0.placeholder)" } ?? option.name
  }

  /// The option's help with its default, and whether it can be repeated.
  static func help(_ option: OptionDefinition) -> String {
    var notes: [String] = []
    if option.isRequired { notes.append("required") }
    if let text = option.defaultText, !text.isEmpty { notes.append("default \(text)") }
    if option.isRepeatable { notes.append("repeatable") }
    guard !notes.isEmpty else { return option.help }
    let note = notes.joined(separator: ", ")
    return option.help.hasSuffix(")")
      ? option.help.dropLast() + ", \(note))" : option.help + " (\(note))"
  }

  private static func environmentNote(_ command: CommandEntry) -> String? {
    let options = command.options.filter(\.isInEnvironment)
    guard let first = options.first else { return nil }
    let names = options.map(\.name).joined(separator: ", ")
    let isAll = options.count > 6
    let text =
      (isAll ? "Each option but --quiet and --help" : names)
      + " may also stand in the environment: \(first.variable) for \(first.name)."
    return wrapped(text, to: 100).joined(separator: "\n")
  }

  private static func list(_ rows: [(label: String, text: String)]) -> String {
    // A wider label is on a line of its own.
    let widest = 32
    let width = rows.map(\.label.count).filter { $0 <= widest }.max() ?? 0
    return rows.map { row in
      let indent = "\n" + String(repeating: " ", count: width + 4)
      let text = wrapped(row.text, to: 96 - width).joined(separator: indent)
      guard row.label.count <= widest else { return "  \(row.label)\(indent)\(text)" }
      let padding = String(repeating: " ", count: width - row.label.count)
      return "  \(row.label)\(padding)  \(text)"
    }.joined(separator: "\n")
  }

  private static func wrapped(_ text: String, to width: Int) -> [String] {
    text.split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, last.count + word.count < width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
  }
}

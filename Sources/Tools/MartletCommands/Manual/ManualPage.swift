import PushPayload

/// A manual page of section 1 in roff, with the macros of man(7).
struct ManualPage: Sendable {
  /// The name of the page, such as `martlet-apps-create`.
  let name: String
  let text: String

  var fileName: String { name + ".1" }

  private init(_ name: String, summary: String, body: [String]) {
    self.name = name
    let head = [
      ".TH \(Roff.escaped(name.uppercased())) 1 \(Martlet.date) \"martlet \(Martlet.version)\" Martlet",
      ".SH NAME",
    ]
    let title = "\(Roff.escaped(name)) \\- \(Roff.escaped(summary))"
    text = (head + Roff.lines(of: title) + body).joined(separator: "\n") + "\n"
  }

  /// The page of a command.
  init(_ command: CommandEntry) {
    var body = [".SH SYNOPSIS"] + Self.synopsis(command)
    if !command.discussion.isEmpty || command.operand != nil {
      body.append(".SH DESCRIPTION")
      body += Roff.paragraphs(command.discussion)
      if let operand = command.operand {
        body += [".TP", ".I \(Roff.escaped(operand.name))"] + Roff.paragraph(operand.help)
      }
    }
    body.append(".SH OPTIONS")
    for option in command.options {
      body += [".TP", Self.label(option)] + Roff.paragraph(HelpText.help(option))
    }
    body += Self.environment(command)
    body.append(".SH EXIT STATUS")
    for (code, meaning) in command.exitCodes.sorted(by: { $0.key < $1.key }) {
      body += [".TP", ".B \(code.rawValue)"] + Roff.paragraph(meaning)
    }
    body += [".SH SEE ALSO", ".BR martlet (1)"]
    self.init(Self.name(command), summary: command.summary, body: body)
  }

  /// The page of `martlet` itself.
  static var overview: ManualPage {
    var body = [".SH SYNOPSIS", ".B martlet", ".I COMMAND", "[options]", ".SH DESCRIPTION"]
    body += Roff.paragraph("martlet COMMAND --help explains a command.")
    body.append(".SH COMMANDS")
    for command in CommandTable.commands {
      body += [".TP", ".BR \(Roff.escaped(name(command))) (1)"] + Roff.paragraph(command.summary)
    }
    return ManualPage(
      "martlet", summary: "rich push notifications for iOS, on your own machine", body: body)
  }

  private static func name(_ command: CommandEntry) -> String {
    "martlet-" + command.words.joined(separator: "-")
  }

  private static func synopsis(_ command: CommandEntry) -> [String] {
    var lines = [".B martlet \(Roff.escaped(command.name))"]
    lines += command.options.filter(\.isRequired).map(label)
    lines.append("[options]")
    if let operand = command.operand { lines.append(".I \(Roff.escaped(operand.usage))") }
    return lines
  }

  private static func label(_ option: OptionDefinition) -> String {
    let name = Roff.escaped(option.name)
    guard let value = option.value else { return ".B \(name)" }
    return ".BI \(name) \" \(Roff.escaped(value.placeholder))\""
  }

  private static func environment(_ command: CommandEntry) -> [String] {
    let options = command.options.filter(\.isInEnvironment)
    guard !options.isEmpty else { return [] }
    let isServe = command.name == ServeCommand.name
    return [".SH ENVIRONMENT"]
      + options.flatMap { option in
        let key = isServe ? ", in the configuration file \"\(option.key)\"" : ""
        return [".TP", ".B \(Roff.escaped(option.variable))"]
          + Roff.paragraph("\(option.name)\(key)")
      }
  }
}

/// Text for roff.
enum Roff {
  /// Escapes characters with a meaning in roff: backslashes, hyphens, quotes and non-ASCII characters.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case "\"": "\\(dq"
      case "'": "\\(aq"
      // A terminal without Unicode cannot show an ellipsis.
      case "…": "..."
      case _ where scalar.isASCII: String(scalar)
      default: "\\[u\(scalar.value.hexadecimal(digits: 4).uppercased())]"
      }
    }.joined()
  }

  /// The lines of a paragraph.
  static func paragraph(_ text: String) -> [String] { lines(of: escaped(text)) }

  /// The lines of paragraphs that are separated by empty lines.
  static func paragraphs(_ text: String) -> [String] {
    let paragraphs = text.split(separator: "\n\n").map { paragraph(String($0)) }
    return Array(paragraphs.joined(separator: [".PP"]))
  }

  /// Breaks escaped text into lines of at most 78 columns.
  static func lines(of text: String) -> [String] {
    var lines: [String] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      if let last = lines.last, last.count + word.count < 78 {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    // A line that begins with a dot is a macro.
    return lines.map { $0.hasPrefix(".") ? "\\&" + $0 : $0 }
  }
}

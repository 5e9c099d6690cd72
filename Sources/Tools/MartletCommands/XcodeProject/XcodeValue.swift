/// A value that is written into a project file, in Xcode's form.
indirect enum XcodeValue: Sendable {
  case string(String)
  /// An object's id with the comment that Xcode writes after it.
  case reference(String, comment: String)
  case array([XcodeValue])
  case dictionary([(String, XcodeValue)])

  /// The text, in which all lines except the first are indented by this many tabs.
  func text(indent: Int, newline: String) -> String {
    let tabs = String(repeating: "\t", count: indent)
    switch self {
    case .string(let text): return Self.quoted(text)
    case .reference(let id, let comment):
      return comment.isEmpty ? id : "\(id) \(Self.comment(comment))"
    case .array(let values):
      let lines = values.map {
        "\(tabs)\t\($0.text(indent: indent + 1, newline: newline)),\(newline)"
      }
      return "(\(newline)\(lines.joined())\(tabs))"
    case .dictionary(let members):
      let lines = members.map { key, value in
        "\(tabs)\t\(Self.quoted(key)) = \(value.text(indent: indent + 1, newline: newline));\(newline)"
      }
      return "{\(newline)\(lines.joined())\(tabs)}"
    }
  }

  /// The text on one line, as Xcode writes build files and file references.
  var line: String {
    switch self {
    case .string, .reference: text(indent: 0, newline: " ")
    case .array(let values): "(" + values.map { $0.line + ", " }.joined() + ")"
    case .dictionary(let members):
      "{" + members.map { "\(Self.quoted($0)) = \($1.line); " }.joined() + "}"
    }
  }

  /// A comment, escaped so that an object's name cannot end it early.
  static func comment(_ text: String) -> String {
    "/* \(text.replacing("*/", with: "* /").replacing("\n", with: " ")) */"
  }

  /// A string with quotation marks, unless it has only characters that Xcode does not quote.
  static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      OldPropertyListParser.isUnquoted(byte) && byte != UInt8(ascii: "-")
        && byte != UInt8(ascii: ":") && byte != UInt8(ascii: "$")
    }
    if isPlain, !text.isEmpty, !text.contains("//"), !text.contains("___") { return text }
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("\n", with: "\\n").replacing("\t", with: "\\t").replacing("\r", with: "\\r")
    return "\"\(escaped)\""
  }
}

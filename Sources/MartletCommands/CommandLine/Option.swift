/// One option of a command, as the parser and the help see it.
package struct Option: Sendable {
  package var name: String
  /// The word for its value, `HOST:PORT`; `nil` for a flag.
  package var value: String?
  package var help: String
  package var isRepeatable: Bool

  /// - Parameters:
  ///   - name: With its dashes: `--listen`.
  ///   - value: The word that usage shows for the value; `nil` makes a flag.
  ///   - isRepeatable: Whether it may be given more than once.
  ///   - help: One line, unit and default included.
  package init(_ name: String, _ value: String? = nil, isRepeatable: Bool = false, help: String) {
    self.name = name
    self.value = value
    self.isRepeatable = isRepeatable
    self.help = help
  }

  package static let json = Option("--json", help: "print the result as JSON, and nothing else")
  package static let quiet = Option("--quiet", help: "print results only")
  static let help = Option("--help", help: "show this")
}

/// An option of a command: its name, the form of its value, and how the value is read.
///
/// A command declares its options once, as static values. The parser, the help, the completions and
/// the manual pages read that declaration, and the command reads the value through it:
///
/// ```swift
/// static let workers = Option("--workers", .count(1...256), default: "4", help: "…")
/// …
/// let workers = try arguments[Options.workers]
/// ```
package struct Option<Value: Sendable>: CommandOption {
  package private(set) var definition: OptionDefinition
  /// Reads the value from the given texts, which are empty if the option was not given.
  let read: @Sendable (_ texts: [String]) throws -> Value

  /// Makes an optional option, whose value is `nil` if it is not given.
  ///
  /// - Parameters:
  ///   - name: The name with its dashes, such as `--listen`.
  ///   - form: The form of the value.
  ///   - help: One line without a full stop.
  package init<Given>(_ name: String, _ form: ValueForm<Given>, help: String)
  where Value == Given? {
    definition = OptionDefinition(name, value: form.description, help: help)
    read = { texts in try texts.last.map { try form.value($0, of: name) } }
  }

  /// Makes an option with a default, in the form in which a person would write it.
  package init(_ name: String, _ form: ValueForm<Value>, default text: String, help: String) {
    definition = OptionDefinition(name, value: form.description, help: help)
    definition.defaultText = text
    read = { texts in try form.value(texts.last ?? text, of: name) }
  }

  /// Makes a required option.
  package init(required name: String, _ form: ValueForm<Value>, help: String) {
    definition = OptionDefinition(name, value: form.description, help: help)
    definition.isRequired = true
    read = { texts in
      guard let text = texts.last else {
        throw UsageError("missing \(name) \(form.description.placeholder)")
      }
      return try form.value(text, of: name)
    }
  }

  /// Makes an option that can be given any number of times.
  package init<Element>(repeated name: String, _ form: ValueForm<Element>, help: String)
  where Value == [Element] {
    definition = OptionDefinition(name, value: form.description, help: help)
    definition.isRepeatable = true
    read = { texts in try texts.map { try form.value($0, of: name) } }
  }

  /// Makes an option without a value.
  package init(flag name: String, help: String) where Value == Bool {
    definition = OptionDefinition(name, value: nil, help: help)
    read = { texts in ["true", "1"].contains(texts.last) }
  }

  /// The same option, which can also be set in the environment and, for `serve`, in its
  /// configuration file.
  package var inEnvironment: Option {
    var option = self
    option.definition.isInEnvironment = true
    return option
  }
}

/// An option with any type of value, so that a list can contain several.
package protocol CommandOption: Sendable {
  var definition: OptionDefinition { get }
}

/// The description of an option for the parser, the help, the completions and the manual.
package struct OptionDefinition: Sendable {
  /// The name with its dashes.
  package let name: String
  /// The form of the value; `nil` if the option is a flag.
  package let value: ValueDescription?
  package let help: String
  package fileprivate(set) var defaultText: String?
  package fileprivate(set) var isRepeatable = false
  package fileprivate(set) var isRequired = false
  package fileprivate(set) var isInEnvironment = false

  fileprivate init(_ name: String, value: ValueDescription?, help: String) {
    self.name = name
    self.value = value
    self.help = help
  }

  /// The key in the configuration file of `serve`, which is the name without its dashes.
  package var key: String { String(name.dropFirst(2)) }

  /// The environment variable, such as `MARTLET_LISTEN` for `--listen`.
  package var variable: String {
    "MARTLET_" + key.uppercased().replacing("-", with: "_")
  }
}

/// The options with the same meaning in each command.
package enum CommonOptions {
  package static let json = Option(
    flag: "--json", help: "print the result as JSON, and nothing else")
  package static let quiet = Option(flag: "--quiet", help: "print results only")
  static let help = Option(flag: "--help", help: "show this help; -h is the same")
}

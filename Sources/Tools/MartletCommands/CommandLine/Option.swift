/// An option of a command: its name, what its value is and how the value is read.
///
/// A command declares its options once, as static values. The parser, the help, the completions and
/// the manual pages all read that declaration, and the command reads the value through it:
///
/// ```swift
/// static let workers = Option("--workers", .count(1...256), default: "4", help: "…")
/// …
/// let workers = try arguments[Options.workers]
/// ```
package struct Option<Value: Sendable>: CommandOption {
  package private(set) var definition: OptionDefinition
  /// Reads the value from the texts that were given, of which there are none without the option.
  let read: @Sendable (_ texts: [String]) throws -> Value

  /// An option that may be left out, which gives `nil` then.
  ///
  /// - Parameters:
  ///   - name: The name with its dashes: `--listen`.
  ///   - form: How the value is written.
  ///   - help: One line without a full stop.
  package init<Given>(_ name: String, _ form: ValueForm<Given>, help: String)
  where Value == Given? {
    definition = OptionDefinition(name, value: form.description, help: help)
    read = { texts in try texts.last.map { try form.value($0, of: name) } }
  }

  /// An option with a default, which is written as a person would give it.
  package init(_ name: String, _ form: ValueForm<Value>, default text: String, help: String) {
    definition = OptionDefinition(name, value: form.description, help: help)
    definition.defaultText = text
    read = { texts in try form.value(texts.last ?? text, of: name) }
  }

  /// An option that must be given.
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

  /// An option that may be given any number of times.
  package init<Element>(repeated name: String, _ form: ValueForm<Element>, help: String)
  where Value == [Element] {
    definition = OptionDefinition(name, value: form.description, help: help)
    definition.isRepeatable = true
    read = { texts in try texts.map { try form.value($0, of: name) } }
  }

  /// An option without a value.
  package init(flag name: String, help: String) where Value == Bool {
    definition = OptionDefinition(name, value: nil, help: help)
    read = { texts in ["true", "1"].contains(texts.last) }
  }

  /// The same option, which may also stand in the environment and, for `serve`, in its
  /// configuration file.
  package var inEnvironment: Option {
    var option = self
    option.definition.isInEnvironment = true
    return option
  }
}

/// An option whatever its value is, so that a list can hold several.
package protocol CommandOption: Sendable {
  var definition: OptionDefinition { get }
}

/// What the parser, the help, the completions and the manual need to know of an option.
package struct OptionDefinition: Sendable {
  /// The name with its dashes.
  package let name: String
  /// `nil` for an option without a value.
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

  /// The key in the configuration file of `serve`: the name without its dashes.
  package var key: String { String(name.dropFirst(2)) }

  /// The environment variable: `MARTLET_LISTEN` for `--listen`.
  package var variable: String {
    "MARTLET_" + key.uppercased().replacing("-", with: "_")
  }
}

/// The options that mean the same in each command.
package enum CommonOptions {
  package static let json = Option(
    flag: "--json", help: "print the result as JSON, and nothing else")
  package static let quiet = Option(flag: "--quiet", help: "print results only")
  static let help = Option(flag: "--help", help: "show this help; -h is the same")
}

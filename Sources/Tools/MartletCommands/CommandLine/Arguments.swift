package import PushPayload

/// A parsed command line, with the environment and a configuration file as fallbacks.
///
/// The command line takes precedence over the environment, and the environment over the file.
package struct Arguments: Sendable {
  /// The words that are not options, in order.
  package private(set) var operands: [String] = []
  private var texts: [String: [String]] = [:]
  private let options: [String: OptionDefinition]
  private let environment: [String: String]
  private var configuration: [String: JSONValue] = [:]

  /// Parses a command line with the options of a command.
  ///
  /// `--name value` and `--name=value` are the same; `--` ends the options.
  ///
  /// - Parameters:
  ///   - line: The words after the command's name.
  ///   - options: The options of the command.
  ///   - environment: The environment of the process.
  /// - Throws: ``UsageError`` if an option is unknown, lacks its value, or has a second value without
  ///   being repeatable.
  package init(
    _ line: some Sequence<String>, options: [any CommandOption],
    environment: [String: String] = [:]
  ) throws {
    let definitions = options.map(\.definition)
    self.options = Dictionary(definitions.map { ($0.name, $0) }) { first, _ in first }
    self.environment = environment
    var rest = Array(line)[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = self.options[name] else {
        let near = NearestName.find(name, among: definitions.map(\.name))
        throw UsageError(
          "unknown option \(name)" + (near.map { "; did you mean \($0)?" } ?? ""))
      }
      guard let description = option.value else {
        guard parts.count == 1 else { throw UsageError("\(name) takes no value") }
        texts[name] = ["true"]
        continue
      }
      guard let text = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
        throw UsageError("\(name) needs a value: \(name) \(description.placeholder)")
      }
      guard option.isRepeatable || texts[name] == nil else {
        throw UsageError("\(name) may be given once only")
      }
      texts[name, default: []].append(text)
    }
  }

  /// Adds a configuration file as a fallback for the command line and the environment.
  ///
  /// - Throws: ``UsageError`` if a key is not an option, or a value none that an option has.
  package mutating func setConfiguration(_ members: [String: JSONValue]) throws {
    let keys = options.values.filter(\.isInEnvironment).map(\.key)
    for key in members.keys.sorted() where !keys.contains(key) {
      let near = NearestName.find(key, among: keys.sorted())
      throw UsageError(
        "the configuration file has an unknown key \"\(key)\""
          + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
    }
    for option in options.values.sorted(by: { $0.name < $1.name }) where option.isInEnvironment {
      guard let value = members[option.key] else { continue }
      let items = value.array ?? [value]
      guard value.array == nil || option.isRepeatable, items.allSatisfy({ Self.text($0) != nil })
      else {
        throw UsageError(
          "the configuration file's \"\(option.key)\" takes a text, a number, true or false"
            + (option.isRepeatable ? ", or a list of them" : ""))
      }
    }
    configuration = members
  }

  /// The value of an option.
  ///
  /// - Throws: ``UsageError`` if the text does not have the option's form, or if a required option is
  ///   missing.
  package subscript<Value>(option: Option<Value>) -> Value {
    get throws { try option.read(texts(option.definition)) }
  }

  /// Whether a flag is set.
  package subscript(option: Option<Bool>) -> Bool {
    (try? option.read(texts(option.definition))) ?? false
  }

  /// Whether an option is on the command line, so that other users can read its value.
  package func isOnCommandLine(_ option: some CommandOption) -> Bool {
    texts[option.definition.name] != nil
  }

  /// The source of an option's value.
  package enum Source: String, Sendable {
    case commandLine = "command line"
    case environment
    case file
    case standard = "default"
  }

  /// The texts of an option, which are empty if it was not given, and their source.
  package func given(_ option: OptionDefinition) -> (texts: [String], source: Source) {
    precondition(options[option.name] != nil, "\(option.name) is not in the command's options")
    if let given = texts[option.name] { return (given, .commandLine) }
    guard option.isInEnvironment else { return ([], .standard) }
    if let given = environment[option.variable] {
      let texts = option.isRepeatable ? given.split(separator: ",").map(String.init) : [given]
      return (texts, .environment)
    }
    switch configuration[option.key] {
    case .array(let items): return (items.compactMap(Self.text), .file)
    case .some(let value): return (Self.text(value).map { [$0] } ?? [], .file)
    case nil: return ([], .standard)
    }
  }

  /// The problems with environment variables whose names begin as Martlet's do: each one that no option of
  /// any command reads, with the nearest name.
  package func unknownVariables(knows variables: Set<String>) -> [String] {
    environment.keys.filter { $0.hasPrefix("MARTLET_") && !variables.contains($0) }.sorted()
      .map { name in
        let near = NearestName.find(name, among: variables.sorted())
        return "no option reads the variable \(name)" + (near.map { "; did you mean \($0)?" } ?? "")
      }
  }

  private func texts(_ option: OptionDefinition) -> [String] { given(option).texts }

  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .bool(let truth): String(truth)
    default: nil
    }
  }
}

package import PushPayload

/// A parsed command line, with the environment and a configuration file behind it.
///
/// Flags win over the environment, the environment over the file. Each reader names the option in
/// what it throws.
package struct Arguments: Sendable {
  /// What is not an option, in order.
  package private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]
  private let options: [Option]
  /// Where an option that is not on the command line may also stand: `MARTLET_LISTEN`.
  private var environment: [String: String] = [:]
  private var file: [String: JSONValue] = [:]

  /// Splits a command line by the options a command has.
  ///
  /// `--name value` and `--name=value` are the same; `--` ends the options.
  ///
  /// - Throws: ``UsageError`` for an unknown option, a missing value or a second one.
  package init(_ line: some Sequence<String>, options: [Option]) throws {
    self.options = options
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
      guard let option = options.first(where: { $0.name == name }) else {
        throw UsageError("unknown option \(name)\(Self.suggestion(for: name, among: options))")
      }
      guard let valueName = option.value else {
        guard parts.count == 1 else { throw UsageError("\(name) takes no value") }
        values[name] = ["true"]
        continue
      }
      guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
        throw UsageError("\(name) needs a value: \(name) \(valueName)")
      }
      guard option.isRepeatable || values[name] == nil else {
        throw UsageError("\(name) may be given once only")
      }
      values[name, default: []].append(value)
    }
  }

  /// Puts the environment and a configuration file behind the command line.
  ///
  /// - Throws: ``UsageError`` for a key of the file that is no option.
  package mutating func fallBack(
    environment: [String: String], file: [String: JSONValue] = [:]
  ) throws {
    for key in file.keys.sorted() where !options.contains(where: { $0.name == "--" + key }) {
      throw UsageError("the configuration file has an unknown key \"\(key)\"")
    }
    self.environment = environment
    self.file = file
  }

  /// Whether a flag was given.
  package func flag(_ name: String) -> Bool {
    guard let value = value(name) else { return false }
    return value == "true" || value == "1"
  }

  /// Every value given for a repeatable option.
  package func all(_ name: String) -> [String] {
    values[name] ?? value(name).map { [$0] } ?? []
  }

  /// The value of an option from the command line, the environment or the file.
  package func value(_ name: String) -> String? {
    if let given = values[name]?.last { return given }
    let variable = "MARTLET_" + name.dropFirst(2).uppercased().replacing("-", with: "_")
    if let given = environment[variable] { return given }
    return switch file[String(name.dropFirst(2))] {
    case .string(let text): text
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .bool(let truth): String(truth)
    default: nil
    }
  }

  /// The value of an option that must be there.
  package func required(_ name: String) throws -> String {
    guard let value = value(name) else {
      let word = options.first { $0.name == name }?.value ?? "VALUE"
      throw UsageError("missing \(name) \(word)")
    }
    return value
  }

  /// One of a few words.
  package func choice(_ name: String, of words: [String], default word: String) throws -> String {
    guard let value = value(name) else { return word }
    guard words.contains(value) else {
      throw UsageError("\(name) takes \(words.joined(separator: ", ")), not \"\(value)\"")
    }
    return value
  }

  /// A whole number within a range.
  package func integer(
    _ name: String, in range: ClosedRange<Int>, default number: Int? = nil
  ) throws -> Int? {
    guard let value = value(name) else { return number }
    guard let parsed = Int(value), range.contains(parsed) else {
      throw UsageError(
        "\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(value)\""
      )
    }
    return parsed
  }

  private static func suggestion(for name: String, among options: [Option]) -> String {
    guard let near = options.map(\.name).first(where: { $0.hasPrefix(name) || name.hasPrefix($0) })
    else { return "" }
    return "; did you mean \(near)?"
  }
}

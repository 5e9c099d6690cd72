import Foundation
import PushPayload

/// `martlet config print`: prints the options of `serve` in effect, and the source of each.
struct ConfigPrintCommand: Command {
  static let name = "config print"
  static let summary = "print the options of serve in force, and where each comes from"
  static let options =
    ServeSettings.Options.all.filter { $0.definition.name != "--check" } + [CommonOptions.json]
  static let discussion = """
    It reads the command line, the environment and the file of --config as serve does, and starts
    nothing. Passwords are left out. Variables that begin with MARTLET_ and that no option reads are
    named on standard error.
    """

  private let arguments: Arguments

  init(_ arguments: Arguments) throws { self.arguments = arguments }

  func run(_ console: Console) async throws -> ExitCode {
    let arguments = try arguments.withConfigurationFile()
    let settings = try ServeSettings(arguments)
    let rows = Self.options.map(\.definition).filter(\.isInEnvironment).map { option in
      Row(of: option, arguments, settings)
    }
    if self.arguments[CommonOptions.json] {
      let members = rows.map { ($0.option.key, $0.json) }
      console.print(JSONValue.object(Dictionary(uniqueKeysWithValues: members)).line)
    } else {
      let width = rows.map(\.option.name.count).max() ?? 0
      for row in rows {
        let name = row.option.name.padding(toLength: width, withPad: " ", startingAt: 0)
        console.print("\(name)  \(row.text)")
      }
    }
    for problem in arguments.unknownVariables(knows: CommandTable.variables) {
      console.printError("warning: \(problem)")
    }
    return .success
  }

  private struct Row {
    let option: OptionDefinition
    let values: [String]
    let source: Arguments.Source

    init(of option: OptionDefinition, _ arguments: Arguments, _ settings: ServeSettings) {
      self.option = option
      let given = arguments.given(option)
      source = given.source
      var texts = given.texts
      if texts.isEmpty {
        // Two options have defaults that depend on the data directory.
        let path: String? =
          switch option.name {
          case "--database": settings.data.database.map { "sqlite:" + $0 }
          case "--secret-key-file": settings.secretKeyFile.path
          default: option.value == nil ? "false" : option.defaultText
          }
        texts = path.map { [$0] } ?? []
      }
      values = texts.map { option.value?.isSecret == true ? Self.masked($0) : $0 }
    }

    var text: String {
      let place = source == .environment ? "environment, \(option.variable)" : source.rawValue
      return "\(values.isEmpty ? "-" : values.joined(separator: ","))  (\(place))"
    }

    var json: JSONValue {
      let value: JSONValue =
        if option.isRepeatable {
          .array(values.map(JSONValue.string))
        } else {
          values.last.map(JSONValue.string) ?? .null
        }
      var members: [String: JSONValue] = ["value": value, "source": .string(source.rawValue)]
      if source == .environment { members["variable"] = .string(option.variable) }
      return .object(members)
    }

    /// An address without its password, and without any part that cannot be parsed as an address.
    private static func masked(_ text: String) -> String {
      if text.hasPrefix("sqlite:") { return text }
      guard var url = URLComponents(string: text) else { return "***" }
      if url.password != nil { url.password = "***" }
      url.queryItems = url.queryItems?.map { item in
        item.name.lowercased().contains("password")
          ? URLQueryItem(name: item.name, value: "***") : item
      }
      return url.string ?? "***"
    }
  }
}

extension Arguments {
  /// The same arguments with the file of `--config` as a fallback.
  ///
  /// - Throws: ``CommandFailure`` if the file is not a JSON object, ``UsageError`` if a key is not an
  ///   option.
  func withConfigurationFile() throws -> Arguments {
    guard let file = try self[ServeSettings.Options.config] else { return self }
    let json: JSONValue
    do {
      json = try JSONValue(parsing: InputFile.text(file, of: ServeSettings.Options.config))
    } catch let error as JSONError {
      throw CommandFailure("\(file), which --config names, is \(error.sentence)")
    }
    guard let members = json.object else {
      throw CommandFailure("\(file), which --config names, must be a JSON object")
    }
    var arguments = self
    try arguments.setConfiguration(members)
    return arguments
  }
}

/// A command type as a value, so that a list can contain several.
package struct CommandEntry: Sendable {
  let name: String
  let summary: String
  let discussion: String
  let operand: Operand?
  let options: [OptionDefinition]
  let exitCodes: [ExitCode: String]
  let run: @Sendable (_ words: ArraySlice<String>, Console) async -> ExitCode

  init<C: Command>(_ command: C.Type) {
    let options = C.options + [CommonOptions.quiet]
    name = C.name
    summary = C.summary
    discussion = C.discussion
    operand = C.operand
    self.options = (options + [CommonOptions.help]).map(\.definition)
    exitCodes = C.exitCodes
    run = { words, console in
      do {
        let arguments = try Arguments(words, options: options, environment: console.environment)
        if let operand = C.operand {
          try operand.check(arguments.operands)
        } else if let word = arguments.operands.first {
          throw UsageError("takes no operand, not \"\(word)\"")
        }
        return try await C(arguments).run(console)
      } catch {
        console.printError("martlet \(C.name): \(error.sentence)")
        return error is UsageError || C.self is any CheckingCommand.Type ? .invalidInput : .failure
      }
    }
  }

  /// The words of the name.
  var words: [String] { name.split(separator: " ").map(String.init) }

  /// The usage line, such as `martlet lint [options] PAYLOAD…`.
  var usage: String {
    let required = options.filter(\.isRequired).map { option in
      option.name + " " + (option.value?.placeholder ?? "")
    }
    let parts = ["martlet", name] + required + ["[options]"] + (operand.map { [$0.usage] } ?? [])
    return parts.joined(separator: " ")
  }
}

import Foundation
import PayloadLint
import PushPayload

/// `martlet lint`: what is wrong with payloads, before a phone says nothing about it.
struct LintCommand: Command {
  static let name = "lint"
  static let summary = "find what is wrong with a payload"
  static let operands = "PAYLOAD.json… (- is standard input)"
  static let options = [
    Option("--format", "text|json|sarif", help: "how findings are printed (text)"),
    Option("--push-type", "TYPE", help: "the apns-push-type it is sent with"),
    Option("--priority", "10|5|1", help: "the apns-priority it is sent with"),
    Option("--expiration", "SECONDS", help: "the apns-expiration it is sent with"),
    Option("--collapse-id", "ID", help: "the apns-collapse-id it is sent with"),
    Option("--topic", "TOPIC", help: "the apns-topic it is sent with"),
    Option("--explain", "CODE", help: "say why a rule is one, with examples and the fix"),
    Option("--rules", help: "print the manual of all rules, docs/lint.md"),
    .json,
  ]

  private enum Task {
    case lint([String])
    case explain(LintRule)
    case printManual
  }

  private let task: Task
  private let format: String
  private let isQuiet: Bool
  private let headers: LintHeaders

  init(_ arguments: Arguments) throws {
    isQuiet = arguments.flag("--quiet")
    format = try Self.format(arguments)
    // Any value is taken: whether APNs takes it is what the rules say.
    headers = LintHeaders(
      pushType: arguments.value("--push-type"), priority: arguments.value("--priority"),
      expiration: arguments.value("--expiration"), collapseID: arguments.value("--collapse-id"),
      topic: arguments.value("--topic"))
    task = try Self.task(arguments)
  }

  private static func format(_ arguments: Arguments) throws -> String {
    let isJSON = arguments.flag("--json")
    let format = try arguments.choice(
      "--format", of: ["text", "json", "sarif"], default: isJSON ? "json" : "text")
    guard !isJSON || format == "json" else {
      throw UsageError("--json is --format json; take one of --json and --format \(format)")
    }
    return format
  }

  private static func task(_ arguments: Arguments) throws -> Task {
    let code = arguments.value("--explain")
    guard code != nil || arguments.flag("--rules") else {
      guard !arguments.operands.isEmpty else { throw UsageError("name a payload file, or -") }
      return .lint(arguments.operands)
    }
    guard arguments.operands.isEmpty else {
      throw UsageError("--explain and --rules take no payload file")
    }
    guard let code else { return .printManual }
    guard let rule = LintRules.rule(code) else {
      throw UsageError("--explain takes the code of a rule, such as M101, not \"\(code)\"")
    }
    return .explain(rule)
  }

  func run(_ console: Console) async throws -> ExitCode {
    switch task {
    case .explain(let rule):
      console.print(LintManual.text(rule))
      return .yes
    case .printManual:
      console.print(LintManual.markdown.trimmingCharacters(in: .newlines))
      return .yes
    case .lint(let operands):
      return lint(operands, console)
    }
  }

  private func lint(_ operands: [String], _ console: Console) -> ExitCode {
    var results: [LintResult] = []
    for operand in operands {
      var result = LintResult(name: operand)
      do {
        let data = try readPayload(operand, console)
        result.report = LintReport(LintSubject(data, headers: headers))
      } catch {
        console.printError("martlet lint: \(error)")
      }
      results.append(result)
    }
    switch format {
    case "json": results.compactMap(\.json).forEach { console.print($0) }
    case "sarif": console.print(SARIF.log(results))
    default:
      results.flatMap(\.text).forEach { console.print($0) }
      if !isQuiet { console.print(LintResult.summary(results)) }
    }
    return results.allSatisfy(\.isFine) ? .yes : .no
  }
}

/// One payload and what the rules say of it.
struct LintResult {
  /// The operand: a path, or `-`.
  var name: String
  /// `nil` where it could not be read.
  var report: LintReport?

  var isFine: Bool { report.map { !$0.hasErrors } ?? false }
}

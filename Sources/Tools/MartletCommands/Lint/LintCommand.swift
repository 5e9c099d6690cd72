import Foundation
import PayloadLint
import PushPayload

/// `martlet lint`: reports problems in payloads.
struct LintCommand: CheckingCommand {
  enum Options {
    static let failOn = Option(
      "--fail-on", .oneOf(LintRule.Severity.self), default: "error",
      help: "the least severity that makes the exit code 1")
    static let pushType = Option(
      "--push-type", .pushType, help: "the apns-push-type it is sent with")
    static let priority = Option(
      "--priority", .text("10|5|1"), help: "the apns-priority it is sent with")
    static let expiration = Option(
      "--expiration", .text("SECONDS"), help: "the apns-expiration it is sent with")
    static let collapseID = Option(
      "--collapse-id", .text("ID"), help: "the apns-collapse-id it is sent with")
    static let topic = Option("--topic", .text("TOPIC"), help: "the apns-topic it is sent with")
    static let explain = Option(
      "--explain", ruleForm, help: "print why a rule exists, with examples and the fix")
    static let rules = Option(
      flag: "--rules", help: "print the manual of all rules, docs/provider/lint.md")

    private static let ruleForm = ValueForm<LintRule>(
      "CODE", takes: "the code of a rule, such as M101",
      completion: .words(LintRules.all.map(\.code))
    ) { LintRules.rule($0) }
  }

  static let name = "lint"
  static let summary = "find what is wrong with a payload"
  static let discussion = """
    A folder stands for every *.json and *.apns file below it, in the order of their paths, without
    hidden ones; a pattern (*, ?, [a-z], ** for any folders) for what it matches. A file named
    .martlet-lint.json beside a payload, or in a folder above it, turns rules off or changes their
    severity: see docs/provider/lint.md.
    """
  static let operand: Operand? = Operand(
    "PAYLOAD", .any, completion: .files,
    help: "a file, a folder or a pattern in quotes; - is standard input")
  static let options: [any CommandOption] = [
    ReportFormat.option, Options.failOn, Options.pushType, Options.priority, Options.expiration,
    Options.collapseID, Options.topic, Options.explain, Options.rules, CommonOptions.json,
  ]

  private enum Task {
    case lint([String])
    case explain(LintRule)
    case printManual
  }

  private let task: Task
  private let format: ReportFormat
  private let failOn: LintRule.Severity
  private let isQuiet: Bool
  private let headers: LintHeaders

  init(_ arguments: Arguments) throws {
    isQuiet = arguments[CommonOptions.quiet]
    format = try ReportFormat(arguments)
    failOn = try arguments[Options.failOn]
    // Any value is accepted, because the rules report those that APNs would refuse.
    headers = LintHeaders(
      pushType: try arguments[Options.pushType], priority: try arguments[Options.priority],
      expiration: try arguments[Options.expiration],
      collapseID: try arguments[Options.collapseID], topic: try arguments[Options.topic])
    task = try Self.task(arguments)
  }

  private static func task(_ arguments: Arguments) throws -> Task {
    let rule = try arguments[Options.explain]
    guard rule != nil || arguments[Options.rules] else {
      guard !arguments.operands.isEmpty else { throw UsageError("name a payload file, or -") }
      return .lint(arguments.operands)
    }
    guard arguments.operands.isEmpty else {
      throw UsageError("--explain and --rules take no payload file")
    }
    return rule.map(Task.explain) ?? .printManual
  }

  func run(_ console: Console) async throws -> ExitCode {
    switch task {
    case .explain(let rule):
      console.print(LintManual.text(rule))
      return .success
    case .printManual:
      console.print(LintManual.markdown.trimmingCharacters(in: .newlines))
      return .success
    case .lint(let operands):
      return lint(operands, console)
    }
  }

  private func lint(_ operands: [String], _ console: Console) -> ExitCode {
    var settings = LintSettingsFinder()
    let now = Int64(Date().timeIntervalSince1970)
    var counts = LintCounts()
    var exitCode: ExitCode?
    // A SARIF log is one document. For other formats nothing is kept, however many payloads there are.
    var logged: [LintResult] = []
    for input in InputPaths.payloads.expand(operands) {
      var result = LintResult(name: input.path)
      do {
        try input.checkFound()
        var report = try LintReport(
          LintSubject(InputFile.payload(input.path, console), headers: headers, now: now))
        try settings.settings(for: input.path)?.apply(to: &report, of: input.path)
        result.report = report
        counts.add(report)
      } catch {
        console.printError("martlet lint: \(error.sentence)")
      }
      switch format {
      case .json: if let json = result.json { console.print(json) }
      case .sarif: logged.append(result)
      case .text: result.text.forEach { console.print($0) }
      }
      exitCode = max(exitCode ?? .success, result.exitCode(failOn: failOn))
    }
    switch format {
    case .json: break
    case .sarif: console.print(LintResult.sarif(logged).log)
    case .text: if !isQuiet { console.print(counts.summary) }
    }
    return exitCode ?? .invalidInput
  }
}

/// A payload and the report of the rules.
struct LintResult {
  /// The given or found path, or `-`.
  var name: String
  /// The report; `nil` if the payload could not be read.
  var report: LintReport?

  /// The exit code for this payload; `failOn` is the least severity that counts as found.
  func exitCode(failOn: LintRule.Severity) -> ExitCode {
    guard let report else { return .invalidInput }
    // The cases are in descending order of severity.
    let counted = LintRule.Severity.allCases.prefix { $0 != failOn } + [failOn]
    return counted.contains { report.count($0) > 0 } ? .failure : .success
  }
}

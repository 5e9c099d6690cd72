import BundleDoctor
import Foundation
import PushPayload

/// `martlet doctor`: reports the set-up faults that are visible in a built app.
struct DoctorCommand: CheckingCommand {
  enum Options {
    static let failOn = Option(
      "--fail-on", .oneOf(DoctorRule.Severity.self), default: "error",
      help: "the least severity that makes the exit code 1")
  }

  static let name = "doctor"
  static let summary = "find what is wrong with an app's notification service extension"
  static let discussion = """
    A folder stands for every bundle below it, in the order of their paths. See docs/app/doctor.md for
    the rules.
    """
  static let operand: Operand? = Operand(
    "PATH", .atLeastOne, completion: .files,
    help: "an .app, .appex, .ipa or .xcarchive, or a folder with some")
  static let options: [any CommandOption] = [
    ReportFormat.option, Options.failOn, CommonOptions.json,
  ]

  private let paths: [String]
  private let failOn: DoctorRule.Severity
  private let format: ReportFormat
  private let isQuiet: Bool

  init(_ arguments: Arguments) throws {
    paths = arguments.operands
    failOn = try arguments[Options.failOn]
    format = try ReportFormat(arguments)
    isQuiet = arguments[CommonOptions.quiet]
  }

  func run(_ console: Console) async throws -> ExitCode {
    let inputs = InputPaths.bundles.expand(paths)
    var reports: [DoctorReport] = []
    var unread: [String] = []
    var code = ExitCode.success
    for input in inputs {
      do {
        try input.checkFound()
        let inspection = try Inspection(path: input.path, now: Date())
        let report = DoctorReport(
          path: input.path, inspection: inspection, diagnosis: BundleDoctor().examine(inspection))
        reports.append(report)
        code = max(code, exitCode(of: report))
        print(report, isOneOfSeveral: inputs.count > 1, console)
      } catch {
        console.printError("martlet doctor: \(error.sentence)")
        unread.append(input.path)
        code = .invalidInput
      }
    }
    if format == .sarif { console.print(DoctorReport.sarif(reports, unread: unread).log) }
    return inputs.isEmpty ? .invalidInput : code
  }

  private func print(_ report: DoctorReport, isOneOfSeveral: Bool, _ console: Console) {
    switch format {
    case .json: console.print(report.json.line)
    case .sarif: break
    case .text:
      if isOneOfSeveral { console.print("\(report.path):") }
      console.print(report.text(isQuiet: isQuiet))
    }
  }

  private func exitCode(of report: DoctorReport) -> ExitCode {
    // The cases are in descending order of severity.
    let counted = DoctorRule.Severity.allCases.prefix { $0 != failOn } + [failOn]
    return counted.contains { report.diagnosis.count($0) > 0 } ? .failure : .success
  }
}

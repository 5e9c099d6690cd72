import BundleDoctor
import Foundation
import PushPayload

/// `martlet doctor`: reports the set-up faults that a built app shows.
struct DoctorCommand: CheckingCommand {
  enum Options {
    static let failOn = Option(
      "--fail-on", .oneOf(DoctorRule.Severity.self), default: "error",
      help: "the least severity that makes the exit code 1")
  }

  static let name = "doctor"
  static let summary = "find what is wrong with an app's notification service extension"
  static let discussion = """
    A folder stands for every bundle below it, in the order of their paths. See docs/doctor.md for
    the rules.
    """
  static let operand: Operand? = Operand(
    "PATH", .atLeastOne, completion: .files,
    help: "an .app, .appex, .ipa or .xcarchive, or a folder with some")
  static let options: [any CommandOption] = [Options.failOn, CommonOptions.json]

  private let paths: [String]
  private let failOn: DoctorRule.Severity
  private let isJSON: Bool
  private let isQuiet: Bool

  init(_ arguments: Arguments) throws {
    paths = arguments.operands
    failOn = try arguments[Options.failOn]
    isJSON = arguments[CommonOptions.json]
    isQuiet = arguments[CommonOptions.quiet]
  }

  func run(_ console: Console) async throws -> ExitCode {
    let inputs = InputPaths.bundles.expand(paths)
    return inputs.map { input in
      do {
        try input.checkFound()
        return try examine(input.path, isOneOfSeveral: inputs.count > 1, console)
      } catch {
        console.printError("martlet doctor: \(error)")
        return .invalidInput
      }
    }.max() ?? .invalidInput
  }

  private func examine(
    _ path: String, isOneOfSeveral: Bool, _ console: Console
  ) throws -> ExitCode {
    let inspection = try Inspection(path: path, now: Date())
    let report = DoctorReport(
      path: path, inspection: inspection, diagnosis: BundleDoctor().examine(inspection))
    if isJSON {
      console.print(report.json.line)
    } else {
      if isOneOfSeveral { console.print("\(path):") }
      console.print(report.text(isQuiet: isQuiet))
    }
    // The cases stand in the order of their weight.
    let counted = DoctorRule.Severity.allCases.prefix { $0 != failOn } + [failOn]
    return counted.contains { report.diagnosis.count($0) > 0 } ? .failure : .success
  }
}

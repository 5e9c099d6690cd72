import BundleDoctor
import Foundation
import PushPayload

/// `martlet doctor`: what a built app shows of its set-up's faults.
struct DoctorCommand: Command {
  static let name = "doctor"
  static let summary = "find what is wrong with an app's notification service extension"
  static let operands = "PATH (.app, .appex, .ipa or .xcarchive)"
  static let options = [Option.json]

  private let path: String
  private let isJSON: Bool
  private let isQuiet: Bool

  init(_ arguments: Arguments) throws {
    guard arguments.operands.count == 1, let path = arguments.operands.first, !path.isEmpty else {
      throw UsageError("name one PATH: an .app, .appex, .ipa or .xcarchive")
    }
    self.path = path
    isJSON = arguments.flag("--json")
    isQuiet = arguments.flag("--quiet")
  }

  func run(_ console: Console) async throws -> ExitCode {
    let inspection: Inspection
    do {
      inspection = try Inspection(path: path, now: Date())
    } catch {
      throw CommandFailure(error.message, cause: error)
    }
    let report = DoctorReport(
      path: path, inspection: inspection, diagnosis: BundleDoctor().examine(inspection))
    console.print(isJSON ? report.json.line : report.text(isQuiet: isQuiet))
    return report.diagnosis.count(.error) == 0 ? .yes : .no
  }
}

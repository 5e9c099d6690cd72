import Foundation
import TestSupport
import Testing

/// The validation of our output by Python's jsonschema, which `scripts/bootstrap` installs, with the
/// schema of OASIS.
enum SARIFValidator {
  /// A line for each log: `valid` or `invalid`.
  static func validate(_ logs: [String]) async throws -> [String] {
    let root = Repository.root
    let python = root.appending(path: ".build/python/bin/python").path()
    let folder = TemporaryFolder()
    let files = try logs.enumerated().map { try folder.write($1, to: "\($0).sarif") }
    let run = await runProgram(python, [Fixtures.url("sarif/validate.py").path()] + files)
    try #require(
      run.status == 0, "\(python) with jsonschema is missing or failed: run scripts/bootstrap")
    return run.output.split(separator: "\n").map(String.init)
  }
}

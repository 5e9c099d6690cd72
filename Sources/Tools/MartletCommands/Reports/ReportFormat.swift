/// The format in which commands print their findings.
enum ReportFormat: String, CaseIterable, Sendable {
  case text, json, sarif

  static let option = Option(
    "--format", .oneOf(ReportFormat.self), default: "text", help: "how findings are printed")

  /// The format on a command line; `--json` is short for `--format json`.
  ///
  /// - Throws: ``UsageError`` if the two differ.
  init(_ arguments: Arguments) throws {
    let isJSON = arguments[CommonOptions.json]
    self = try arguments[Self.option]
    if isJSON, !arguments.isOnCommandLine(Self.option) { self = .json }
    guard !isJSON || self == .json else {
      throw UsageError("--json is --format json; take one of --json and --format \(rawValue)")
    }
  }
}

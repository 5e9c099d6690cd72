package import PushPayload

extension DeviceImport {
  /// The result of an import: the number of accepted rows, and by line those that were rejected or lost a part.
  package struct Report: Sendable {
    /// A row with what is wrong with it.
    package typealias Row = (line: Int, error: String)

    /// The rows whose device is imported, also those of ``losses``.
    package var accepted = 0
    package var rejected: [Row] = []
    /// The accepted rows of which a part is not imported.
    package var losses: [Row] = []
    /// The rows that have only separators.
    package var skipped = 0
    /// The devices whose token now belongs to a device that the file names; no push reaches them.
    package var leftWithoutToken = 0

    package init() {}

    /// Names an accepted row and what it lost.
    mutating func addLosses(_ losses: [String], line: Int) {
      self.losses.append((line, Self.text(ofLosses: losses)))
    }

    /// The sentence about a device of which a part is not imported.
    static func text(ofLosses losses: [String]) -> String {
      "kept, but lost " + losses.joined(separator: "; ")
    }

    /// The most rows of `lines`.
    private static let lineLimit = 20

    package var json: JSONValue {
      func rows(_ rows: some Sequence<Row>) -> JSONValue {
        .array(rows.map { ["line": .integer(Int64($0.line)), "error": .string($0.error)] })
      }
      return [
        "accepted": .integer(Int64(accepted)),
        "accepted_with_losses": .integer(Int64(losses.count)),
        "rejected": rows(rejected),
        "losses": rows(losses),
        "lines": rows((rejected + losses).sorted { $0.line < $1.line }.prefix(Self.lineLimit)),
        "skipped": .integer(Int64(skipped)),
        "left_without_token": .integer(Int64(leftWithoutToken)),
      ]
    }
  }
}

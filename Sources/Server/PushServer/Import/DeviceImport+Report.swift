package import PushPayload

extension DeviceImport {
  /// The result of an import: its counts, and the first lines that were rejected or lost a part.
  ///
  /// It holds at most ``lineLimit`` lines, however many lines of a file are wrong.
  package struct Report: Sendable {
    /// A line of the file and the problem with it.
    package typealias Row = (line: Int, error: String)

    /// The lines whose device is imported, including those that lost a part.
    package var accepted = 0
    /// The accepted lines that lost a part.
    package var acceptedWithLosses = 0
    package var rejected = 0
    /// The rows with only separators.
    package var skipped = 0
    /// The devices whose token now belongs to a device in the file; no push reaches them.
    package var leftWithoutToken = 0
    /// The accepted devices that the store has already, as a trial has found.
    package var known = 0
    /// The listed lines: rejected ones first, and each kind sorted by line.
    private var listed: [(row: Row, isKept: Bool)] = []

    /// The most lines that are listed.
    package static let lineLimit = 20

    package init() {}

    /// The first rejected lines and, if these are fewer than ``lineLimit``, the first that lost a part, sorted by line.
    package var lines: [Row] { listed.map(\.row).sorted { $0.line < $1.line } }

    /// Counts a line as rejected.
    mutating func reject(_ row: Row) {
      rejected += 1
      list(row, isKept: false)
    }

    /// Counts an accepted line as one that lost a part.
    mutating func addLoss(_ row: Row) {
      acceptedWithLosses += 1
      list(row, isKept: true)
    }

    /// Counts an accepted line as rejected, because its device was erased.
    mutating func rejectErased(line: Int, hasLosses: Bool) {
      accepted -= 1
      if hasLosses {
        acceptedWithLosses -= 1
        listed.removeAll { $0.isKept && $0.row.line == line }
      }
      reject((line, Self.erased))
    }

    static let erased = "the device was erased and cannot be updated"

    /// Lists a line of an answer whose counts are already known.
    package mutating func list(_ row: Row, isKept: Bool = false) {
      func isBefore(_ other: (row: Row, isKept: Bool)) -> Bool {
        (isKept ? 1 : 0, row.line) < (other.isKept ? 1 : 0, other.row.line)
      }
      let place = listed.firstIndex(where: isBefore) ?? listed.count
      guard place < Self.lineLimit else { return }
      listed.insert((row, isKept), at: place)
      if listed.count > Self.lineLimit { listed.removeLast() }
    }

    /// Adds the result of an import of the devices that were read from a file of another form.
    ///
    /// `lines` are the listed lines of `imported` with their numbers in that file.
    mutating func add(_ imported: Report, listing lines: [Row]) {
      accepted += imported.accepted
      acceptedWithLosses += imported.acceptedWithLosses
      rejected += imported.rejected
      skipped += imported.skipped
      known += imported.known
      leftWithoutToken += imported.leftWithoutToken
      for row in lines { list(row) }
    }

    /// The sentence about a device that lost a part.
    static func text(ofLosses losses: [String]) -> String {
      "kept, but lost " + losses.joined(separator: "; ")
    }

    package var json: JSONValue {
      [
        "accepted": .integer(Int64(accepted)),
        "accepted_with_losses": .integer(Int64(acceptedWithLosses)),
        "rejected": .integer(Int64(rejected)),
        "lines": .array(
          lines.map { ["line": .integer(Int64($0.line)), "error": .string($0.error)] }),
        "skipped": .integer(Int64(skipped)),
        "left_without_token": .integer(Int64(leftWithoutToken)),
      ]
    }
  }
}

import PushPayload
import PushServer

/// The answer to an import of devices, as `martlet devices import` prints it.
struct ImportResult {
  private var report: DeviceImport.Report

  /// Reads the answer of a server, which may be of a version without losses.
  init(_ answer: JSONValue) {
    func rows(_ name: String) -> [DeviceImport.Report.Row] {
      (answer[name]?.array ?? []).map { row in
        (line: Int(row["line"]?.integer ?? 0), error: row["error"]?.string ?? "")
      }
    }
    func count(_ name: String) -> Int { Int(answer[name]?.integer ?? 0) }
    report = DeviceImport.Report()
    report.accepted = count("accepted")
    report.rejected = rows("rejected")
    report.losses = rows("losses")
    report.skipped = count("skipped")
    report.leftWithoutToken = count("left_without_token")
  }

  /// The same result with the lines of the export from which the imported lines were made.
  func located(in export: VendorExport) -> ImportResult {
    var result = self
    result.report.losses = export.losses(with: report.losses, without: report.rejected)
    result.report.rejected = export.rejected(with: report.rejected)
    result.report.skipped += export.skipped
    return result
  }

  /// The rejected lines and those that lost a part.
  var rows: [DeviceImport.Report.Row] {
    (report.rejected + report.losses).sorted { $0.line < $1.line }
  }

  var json: JSONValue { report.json }

  /// The counts in one line.
  var summary: String {
    var parts = ["\(report.accepted) devices accepted"]
    if !report.losses.isEmpty { parts.append("\(report.losses.count) of them with losses") }
    parts.append("\(report.rejected.count) rows rejected")
    if report.skipped > 0 { parts.append("\(report.skipped) empty rows skipped") }
    if report.leftWithoutToken > 0 {
      parts.append(
        "\(report.leftWithoutToken) devices left without a token, which now belongs to an id of the file"
      )
    }
    return parts.joined(separator: ", ")
  }
}

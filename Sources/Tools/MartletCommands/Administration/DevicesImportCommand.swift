import Foundation
import PushModel
import PushPayload
import PushServer

/// `martlet devices import`: registers the devices of a file.
struct DevicesImportCommand: Command {
  static let name = "devices import"
  static let summary = "import devices from a file, also of another push service"
  static let discussion = """
    A CSV file is UTF-8 with commas, and names its columns in the first line: token (hex digits) and
    os_name (iOS or Android) are needed; user_id, user_email, id, locale (or language), time_zone,
    tags (a|b), push_enabled, location ("LAT,LNG") and
    custom.<string|integer|float|date|boolean>.<name> may follow. A file that ends in .ndjson or
    .jsonl has one device in each line, as PUT /devices/:id takes it, with push_token; devices export
    writes one.

    --from onesignal reads the CSV of OneSignal's export (unpacked), --from airship the answers of
    Airship's GET /api/channels, one a line or in one document. Firebase exports no APNs tokens: see
    docs/app/migrating.md.

    A device with a part that is not understood is imported without that part. Works over HTTP with
    --server, or on a store that no serve uses. The exit code is 1 if devices were rejected or lost
    a part; the first 20 are printed by their line, and all of them are in the file of --rejected,
    for which FILE is read again.
    """
  static let operand: Operand? = Operand(
    "FILE", .one, completion: .files, help: "the file with the devices")

  enum Options {
    static let app = Option(required: "--app", .text("ID"), help: "the app of the devices")
    static let from = Option(
      "--from", .oneOf(Source.self), default: "martlet", help: "whose form the file has")
    static let rejected = Option(
      "--rejected", .file(),
      help:
        "the file for rejected and damaged lines, written anew (default FILE.rejected if there are"
        + " more than 20, or FILE.rejected-2 and so on if that exists)")
  }

  /// The form of a file; Martlet's own is that of Sailthru Mobile.
  enum Source: String, CaseIterable, Sendable {
    case martlet, sailthru, onesignal, airship

    var vendor: VendorExport.Vendor? { VendorExport.Vendor(rawValue: rawValue) }
  }

  static let options: [any CommandOption] =
    [Options.app, Options.from, Options.rejected] + ServerClient.Options.withStore

  private let arguments: Arguments
  private let app: String
  private let file: String
  private let source: Source
  private let rejectedFile: String?

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments)
    app = try arguments[Options.app]
    source = try arguments[Options.from]
    rejectedFile = try arguments[Options.rejected]
    file = arguments.operands[0]
  }

  func run(_ console: Console) async throws -> ExitCode {
    var bytes = Array(try InputFile.data(file, role: "the file of devices"))
    var format = Self.isLines(file) ? DeviceImport.Format.lines : .csv
    let export = try source.vendor.map { try VendorExport(bytes, of: $0) }
    if let export { (bytes, format) = (export.lines, .lines) }
    var report: DeviceImport.Report
    if let export, export.lines.isEmpty {
      // All of its devices were already rejected, and an empty file would be refused.
      report = DeviceImport.Report()
    } else if let server = try ServerClient(arguments, console) {
      report = try DeviceImport.Report(
        answer: await server.request(
          "POST", "/v6/devices/import?app=\(ServerClient.escaped(app))",
          type: format.contentType, body: Data(bytes)))
    } else {
      report = try await importRows(bytes, as: format, into: DataDirectory(arguments), console)
    }
    let faults = export?.faults(with: report)
    if let export { report = export.report(of: report) }
    return try printReport(report, console) { file in
      if let faults {
        try file.write(report, faults: faults)
      } else {
        try file.write(report, of: bytes, as: format)
      }
    }
  }

  private static func isLines(_ path: String) -> Bool {
    ["ndjson", "jsonl"].contains(URL(filePath: path).pathExtension.lowercased())
  }

  private func importRows(
    _ bytes: [UInt8], as format: DeviceImport.Format, into data: DataDirectory, _ console: Console
  ) async throws -> DeviceImport.Report {
    let store = try await data.openStore(for: console)
    let lock = try data.lock(
      orFail: "a martlet serve uses \(data.path); import through it with --server URL")
    _ = try await store.requiredApp(app)
    let showsProgress = console.isTerminal && !arguments[CommonOptions.quiet]
    let report = try await DeviceImport(store: store, app: app, now: ServerClock.system.now())
      .run(bytes, as: format) { done in
        if showsProgress { console.printError(Self.bar(done, of: bytes.count)) }
      }
    let entry = AuditEntry(
      app: app, key: nil, action: "devices.import", object: app, address: nil,
      at: ServerClock.system.now())
    try await store.append(entry)
    withExtendedLifetime(lock) {}
    return report
  }

  /// The progress bar, which overwrites the previous line.
  private static func bar(_ done: Int, of total: Int) -> String {
    let width = 40
    let filled = total == 0 ? width : done * width / total
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    return "\u{1b}[1A\u{1b}[2K[\(bar)] \(total == 0 ? 100 : done * 100 / total) %"
  }

  /// Prints the report; the exit code is 1 if devices were rejected or lost a part.
  ///
  /// `writeAll` writes all of these lines to a file.
  private func printReport(
    _ report: DeviceImport.Report, _ console: Console,
    writeAll: (inout RejectedFile) throws -> Void
  ) throws -> ExitCode {
    let lines = report.lines
    let more = report.faultCount - lines.count
    let place = rejectedFile ?? (more > 0 ? Self.unused(file + ".rejected") : nil)
    // The devices were already imported, so the report is printed even if the file cannot be written.
    let written = Result { try place.map { try Self.write(to: $0, writeAll) } }
    if arguments[CommonOptions.json] {
      console.print(report.json.line)
    } else {
      for row in lines { console.printError("line \(row.line): \(row.error)") }
      if more > 0, let place, case .success = written {
        console.printError("and \(more) more, which are all in \(place)")
      }
      console.print(report.summary)
    }
    _ = try written.get()
    return report.faultCount == 0 ? .success : .failure
  }

  /// A path, or the path with the lowest number from 2 for which no file exists.
  private static func unused(_ path: String) -> String {
    var (place, number) = (path, 1)
    while FileManager.default.fileExists(atPath: place) {
      number += 1
      place = "\(path)-\(number)"
    }
    return place
  }

  private static func write(
    to path: String, _ writeAll: (inout RejectedFile) throws -> Void
  ) throws {
    do {
      var file = try RejectedFile(path)
      try writeAll(&file)
    } catch {
      throw CommandFailure(
        "the import is done, but \(path) cannot be written; name another place with --rejected",
        cause: error)
    }
  }
}

extension DeviceImport.Format {
  fileprivate var contentType: String {
    switch self {
    case .csv: "text/csv"
    case .lines: DeviceImport.linesType
    }
  }
}

import Foundation
import PushPayload
import PushServer
import PushStore

/// `martlet devices import`: registers the devices of a file.
struct DevicesImportCommand: Command {
  static let name = "devices import"
  static let summary = "import devices from a file, also of another push service"
  static let discussion = """
    A CSV file is UTF-8 with commas, and names its columns in the first line: token (hex digits) and
    os_name (iOS or Android) are needed; user_id, id, locale (or language), time_zone, tags (a|b),
    push_enabled, location ("LAT,LNG") and custom.<string|integer|float|date|boolean>.<name> may
    follow. A file that ends in .ndjson or .jsonl has one device in each line, as PUT /devices/:id
    takes it, with push_token; devices export writes one.

    --from onesignal reads the CSV of OneSignal's export (unpacked), --from airship the answers of
    Airship's GET /api/channels, one a line or in one document. Firebase exports no APNs tokens: see
    docs/app/migrating.md.

    A device of which a part is not understood is imported without that part. Works over HTTP with
    --server, or on a store that no serve uses. The exit code is 1 where devices were rejected or lost
    a part; the first 20 are printed by their line, and all of them are in the file of --rejected.
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
        "the file for rejected and damaged lines, written anew (default FILE.rejected where there are"
        + " more than 20, or FILE.rejected-2 and so on where that exists)")
  }

  /// The form of a file; Sailthru Mobile's is our own.
  enum Source: String, CaseIterable, Sendable {
    case martlet, sailthru, onesignal, airship

    var vendor: VendorExport.Vendor? { VendorExport.Vendor(rawValue: rawValue) }
  }

  static let options: [any CommandOption] =
    [Options.app, Options.from, Options.rejected] + DataDirectory.Options.all
    + ServerClient.Options.all + [CommonOptions.json]

  /// The most rejected devices that are printed.
  static let printedRejections = 20

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
    let report: JSONValue
    if let export, export.lines.isEmpty {
      // All of its devices are rejected already, and an empty file would be refused.
      report = DeviceImport.Report().json
    } else if let server = try ServerClient(arguments, console) {
      report = try await server.request(
        "POST", "/v6/devices/import?app=\(ServerClient.escaped(app))",
        type: format.contentType, body: Data(bytes))
    } else {
      report = try await importRows(bytes, as: format, into: DataDirectory(arguments), console)
    }
    var result = ImportResult(report)
    if let export { result = result.located(in: export) }
    return try printReport(result, console)
  }

  private static func isLines(_ path: String) -> Bool {
    ["ndjson", "jsonl"].contains(URL(filePath: path).pathExtension.lowercased())
  }

  private func importRows(
    _ bytes: [UInt8], as format: DeviceImport.Format, into data: DataDirectory, _ console: Console
  ) async throws -> JSONValue {
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
    return report.json
  }

  /// The progress bar, which overwrites the line above.
  private static func bar(_ done: Int, of total: Int) -> String {
    let width = 40
    let filled = total == 0 ? width : done * width / total
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    return "\u{1b}[1A\u{1b}[2K[\(bar)] \(total == 0 ? 100 : done * 100 / total) %"
  }

  /// Prints the result; the exit code is 1 where devices were rejected or lost a part.
  private func printReport(_ result: ImportResult, _ console: Console) throws -> ExitCode {
    let rows = result.rows
    let isMore = rows.count > Self.printedRejections
    let place = rejectedFile ?? (isMore ? Self.unused(file + ".rejected") : nil)
    // The devices are imported by now, so the report is printed where the file cannot be written, too.
    let written = Result { try place.map { try Self.write(rows, to: $0) } }
    if arguments[CommonOptions.json] {
      console.print(result.json.line)
    } else {
      for row in rows.prefix(Self.printedRejections) {
        console.printError("line \(row.line): \(row.error)")
      }
      if isMore, let place, case .success = written {
        let more = rows.count - Self.printedRejections
        console.printError("and \(more) more, which are all in \(place)")
      }
      console.print(result.summary)
    }
    _ = try written.get()
    return rows.isEmpty ? .success : .failure
  }

  /// A path, or the path with the first number from 2 with which no file exists.
  private static func unused(_ path: String) -> String {
    var (place, number) = (path, 1)
    while FileManager.default.fileExists(atPath: place) {
      number += 1
      place = "\(path)-\(number)"
    }
    return place
  }

  /// Writes the rejected devices, one a line, as they are printed.
  private static func write(_ rejected: [(line: Int, error: String)], to path: String) throws {
    let text = rejected.map { "line \($0.line): \($0.error)\n" }.joined()
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
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

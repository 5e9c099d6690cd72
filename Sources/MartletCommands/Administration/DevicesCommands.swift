import Foundation
import PushPayload
import PushServer
import PushStore

/// `martlet devices import`: registers the devices of a CSV file.
struct DevicesImportCommand: Command {
  static let name = "devices import"
  static let summary = "import devices from a CSV file"
  static let discussion = """
    Works over HTTP with --server, or on a store that no serve uses. The exit code is 1 where rows
    were rejected; each is named by its line.
    """
  static let operand: Operand? = Operand(
    "FILE", .one, completion: .files, help: "the CSV file; docs/api.md has its columns")

  enum Options {
    static let app = Option(required: "--app", .text("ID"), help: "the app of the devices")
  }

  static let options: [any CommandOption] =
    [Options.app] + DataDirectory.Options.all + ServerClient.Options.all + [CommonOptions.json]

  private let arguments: Arguments
  private let app: String
  private let file: String

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments)
    app = try arguments[Options.app]
    file = arguments.operands[0]
  }

  func run(_ console: Console) async throws -> ExitCode {
    let data = try InputFile.data(file, role: "the CSV file")
    let report: JSONValue
    if let server = try ServerClient(arguments, console) {
      report = try await server.request(
        "POST", "/v6/devices/import?app=\(ServerClient.escaped(app))", type: "text/csv", body: data)
    } else {
      report = try await importRows(Array(data), into: DataDirectory(arguments), console)
    }
    return printReport(report, console)
  }

  private func importRows(
    _ bytes: [UInt8], into data: DataDirectory, _ console: Console
  ) async throws -> JSONValue {
    let store = try await data.openStore()
    let lock = try data.lock(
      orFail: "a martlet serve uses \(data.path); import through it with --server URL")
    _ = try await store.requiredApp(app)
    let showsProgress = console.isTerminal && !arguments[CommonOptions.quiet]
    let report = try await DeviceImport(store: store, app: app, now: ServerClock.system.now())
      .run(bytes, as: .csv) { done in
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

  /// Prints the result; the exit code is 1 where rows were rejected.
  private func printReport(_ report: JSONValue, _ console: Console) -> ExitCode {
    let rejected = report["rejected"]?.array ?? []
    if arguments[CommonOptions.json] {
      console.print(report.line)
    } else {
      for row in rejected {
        console.printError("line \(row["line"]?.integer ?? 0): \(row["error"]?.string ?? "")")
      }
      console.print(
        "\(report["accepted"]?.integer ?? 0) devices accepted, \(rejected.count) rows rejected")
    }
    return rejected.isEmpty ? .success : .failure
  }
}

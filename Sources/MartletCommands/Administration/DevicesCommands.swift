import Foundation
import PushPayload
import PushServer
import PushStore

/// `martlet devices import`: devices from a CSV file.
struct DevicesImportCommand: Command {
  static let name = "devices import"
  static let summary = "bring devices in from a CSV file"
  static let operands = "FILE.csv"
  static let options =
    [Option("--app", "ID", help: "the app they belong to")] + DataDirectory.options
    + ServerClient.options + [.json]

  private let arguments: Arguments
  private let app: String
  private let file: String

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    _ = try DataDirectory(arguments, isFromCommandLine: true)
    app = try arguments.required("--app")
    guard arguments.operands.count == 1 else { throw UsageError("name one CSV file") }
    file = arguments.operands[0]
  }

  func run(_ console: Console) async throws -> ExitCode {
    var arguments = arguments
    try arguments.fallBack(environment: console.environment)
    let data = try readFile(file, "the CSV file")
    let report: JSONValue
    if let server = try ServerClient(arguments, console) {
      report = try await server.request(
        "POST", "/v6/devices/import?app=\(ServerClient.escaped(app))", type: "text/csv", body: data)
    } else {
      report = try await importIntoStore(Array(data), DataDirectory(arguments), console)
    }
    return finish(report, console)
  }

  private func importIntoStore(
    _ bytes: [UInt8], _ data: DataDirectory, _ console: Console
  ) async throws -> JSONValue {
    let store = try await data.openStore()
    let lock = try data.lock(
      orFail: "a martlet serve uses \(data.path); import through it with --server URL")
    _ = try await store.requiredApp(app)
    let showsProgress = console.isTerminal && !arguments.flag("--quiet")
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

  /// Drawn over itself: up a line, then the bar.
  private static func bar(_ done: Int, of total: Int) -> String {
    let width = 40
    let filled = total == 0 ? width : done * width / total
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    return "\u{1b}[1A\u{1b}[2K[\(bar)] \(total == 0 ? 100 : done * 100 / total) %"
  }

  /// Rejected rows are findings: they are named and the exit code says that there are some.
  private func finish(_ report: JSONValue, _ console: Console) -> ExitCode {
    let rejected = report["rejected"]?.array ?? []
    if arguments.flag("--json") {
      console.print(report.line)
    } else {
      for row in rejected {
        console.printError("line \(row["line"]?.integer ?? 0): \(row["error"]?.string ?? "")")
      }
      console.print(
        "\(report["accepted"]?.integer ?? 0) devices accepted, \(rejected.count) rows rejected")
    }
    return rejected.isEmpty ? .yes : .no
  }
}

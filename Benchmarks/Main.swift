import CardDrawing
import Foundation
import NotificationCards
import NotificationHost

/// The program of `make bench`, which measures Martlet beside its peers and prints whether the bounds hold.
///
/// Without an argument it runs the groups. With one it is one of the measured processes.
@main
struct Bench {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "send": try await sendServer(Array(arguments.dropFirst()))
    case "node": try await nodeServer(Array(arguments.dropFirst()))
    case "cluster": try await clusterServer()
    case "serve": try await serve(Array(arguments.dropFirst()))
    case "dashboard": try dashboardClient(Array(arguments.dropFirst()))
    case "load": try loadClient(Array(arguments.dropFirst()))
    case "fetch": try await fetchClient(Array(arguments.dropFirst()))
    case "file-server": try await fileServer(Array(arguments.dropFirst()))
    case "pages": try pagesClient(Array(arguments.dropFirst()))
    case "plan": try planClient(Array(arguments.dropFirst()))
    case "template": try templateClient(Array(arguments.dropFirst()))
    case "card": try cardClient(Array(arguments.dropFirst()))
    case "app": try await appClient(Array(arguments.dropFirst()))
    case "phones": try await phonesClient(Array(arguments.dropFirst()))
    case "enrollments": try await enrollmentClient(Array(arguments.dropFirst()))
    case "json": try jsonClient()
    case "host": try await hostClient(Array(arguments.dropFirst()))
    case "extension": ExtensionMain.run { HostedService() }
    case CardOrder.command: CardServer.run(Array(arguments.dropFirst()))
    case "empty": break
    case "thousand": try thousandClient(Array(arguments.dropFirst()))
    case "scale" where arguments.count > 1: try await scaleClient(Array(arguments.dropFirst()))
    case "scale": try scale()
    case "waits": try await waitClient(Array(arguments.dropFirst()))
    case "sandbox": try await sandboxServer(Array(arguments.dropFirst()))
    default: try runGroups(arguments.first ?? chosenGroups)
    }
  }

  /// Prints the table of `make scale`.
  private static func scale() throws {
    try inFolder { setup in
      let counts = ProcessInfo.processInfo.environment["DEVICES"] ?? "1000000 10000000 100000000"
      try ScaleBenchmark(setup).run(counts.split(separator: " ").compactMap { Int($0) })
    }
  }

  /// Runs a body with a folder that is removed afterwards.
  private static func inFolder(_ body: (BenchmarkSetup) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let setup = try BenchmarkSetup(folder: folder)
    print(Machine.description)
    try body(setup)
  }

  private static var chosenGroups: String {
    ProcessInfo.processInfo.environment["ONLY"] ?? ""
  }

  /// Runs all groups in their order, or only those whose names are in a text, with spaces between them.
  private static func runGroups(_ only: String) throws {
    var holds = true
    try inFolder { setup in holds = try boundsHold(only, setup) }
    if !holds { exit(1) }
  }

  private static func boundsHold(_ only: String, _ setup: BenchmarkSetup) throws -> Bool {
    let groups: [(name: String, rows: () throws -> [Row])] = [
      ("pushes", { try PushBenchmark(setup).run() }),
      ("sandbox", { try SandboxBenchmark(setup).run() }),
      ("sends", { try SendBenchmark(setup).run() }),
      ("waits", { try WaitBenchmark(setup).run() }),
      ("nodes", { try NodesBenchmark(setup).run() }),
      ("server", { try ServerBenchmark(setup).run() }),
      ("operations", { try OperationsBenchmark(setup).run() }),
      ("enrollments", { try EnrollmentBenchmark(setup).run() }),
      ("campaigns", { try CampaignBenchmark(setup).run() }),
      ("databases", { try DatabaseBenchmark(setup).run() }),
      ("dashboard", { try DashboardBenchmark(setup).run() }),
      ("index", { try IndexBenchmark(setup).run() }),
      ("fetches", { try FetchBenchmark(setup).run() }),
      ("pages", { try PagesBenchmark(setup).run() }),
      ("app", { try AppBenchmark(setup).run() }), ("json", { try JSONBenchmark(setup).run() }),
      ("plans", { try PlanBenchmark(setup).run() }), ("host", { try HostBenchmark(setup).run() }),
    ]
    let names = only.split(separator: " ").map(String.init)
    let chosen = names.isEmpty ? groups : groups.filter { names.contains($0.name) }
    if let unknown = names.first(where: { name in !groups.contains { $0.name == name } }) {
      print(
        "there is no group \(unknown); the groups are \(groups.map(\.name).joined(separator: ", "))"
      )
      exit(2)
    }
    let rows = try chosen.flatMap { try $0.rows() }
    print(Row.table(rows))
    return !rows.contains { $0.holds == false }
  }
}

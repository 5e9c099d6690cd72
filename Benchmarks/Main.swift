import Foundation
import NotificationHost

/// `make bench`: measures Martlet beside a peer and says whether the bounds hold.
///
/// Without an argument it conducts; with one it is one of the processes that are measured.
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
    case "plan": try planClient(Array(arguments.dropFirst()))
    case "json": try jsonClient()
    case "host": try await hostClient(Array(arguments.dropFirst()))
    case "extension": ExtensionMain.run(HostedService.self)
    case "empty": break
    case "thousand": try thousandClient(Array(arguments.dropFirst()))
    case "sandbox": try await sandboxServer(Array(arguments.dropFirst()))
    default: try await conduct(arguments.first ?? chosenGroup)
    }
  }

  private static var chosenGroup: String? {
    ProcessInfo.processInfo.environment["ONLY"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// All groups in their order, or the one that is named.
  private static func conduct(_ only: String?) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let world = try World(folder: folder)
    print(Machine.description)
    let groups: [(name: String, rows: () throws -> [Row])] = [
      ("pushes", { try PushBenchmark(world).run() }),
      ("sandbox", { try SandboxBenchmark(world).run() }),
      ("sends", { try SendBenchmark(world).run() }),
      ("nodes", { try NodesBenchmark(world).run() }),
      ("server", { try ServerBenchmark(world).run() }),
      ("dashboard", { try DashboardBenchmark(world).run() }),
      ("index", { try IndexBenchmark(world).run() }),
      ("fetches", { try FetchBenchmark(world).run() }),
      ("json", { try JSONBenchmark(world).run() }),
      ("plans", { try PlanBenchmark(world).run() }), ("host", { try HostBenchmark(world).run() }),
    ]
    let chosen = groups.filter { $0.name == only ?? $0.name }
    guard !chosen.isEmpty else {
      print("there is no group \(only ?? ""): \(groups.map(\.name).joined(separator: ", "))")
      exit(2)
    }
    let rows = try chosen.flatMap { try $0.rows() }
    print(Row.table(rows))
    if rows.contains(where: { $0.holds == false }) { exit(1) }
  }
}

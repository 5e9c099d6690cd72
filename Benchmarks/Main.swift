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
    case "push": try await pushClient(Array(arguments.dropFirst()))
    case "fetch": try await fetchClient(Array(arguments.dropFirst()))
    case "plan": try planClient(Array(arguments.dropFirst()))
    case "host": try await hostClient(Array(arguments.dropFirst()))
    case "extension": ExtensionMain.run(HostedService.self)
    case "empty": break
    case "thousand": try thousandClient(Array(arguments.dropFirst()))
    default: try await conduct()
    }
  }

  private static func conduct() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let world = try World(folder: folder)
    print(Machine.description)
    let rows =
      try PushBenchmark(world).run() + FetchBenchmark(world).run() + PlanBenchmark(world).run()
      + HostBenchmark(world).run()
    print(Row.table(rows))
    if rows.contains(where: { $0.holds == false }) { exit(1) }
  }
}

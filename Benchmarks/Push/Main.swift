import APNs
import BenchmarkSample
import FoundationEssentials
import Glibc

/// The client that `make bench` measures: `bench-push URL FOLDER COUNT CONNECTIONS`.
///
/// It links only what sending needs, so that it starts as fast as a sender. It sends pushes, each with its own id, and
/// prints a ``PushReport``.
@main
struct PushClient {
  static func main() async throws { try await pushClient(Array(CommandLine.arguments.dropFirst())) }
}

private struct Failure: Error, CustomStringConvertible { let description: String }

private func pushClient(_ arguments: [String]) async throws {
  guard arguments.count == 4, let count = Int(arguments[2]), let connections = Int(arguments[3])
  else { return }
  let read = { try String(contentsOfFile: arguments[1] + "/" + $0, encoding: .utf8) }
  let credentials = ProviderTokenCredentials(
    teamID: "A1B2C3D4E5", keyID: "K1L2M3N4O5", privateKeyPEM: try read("push.p8"))
  var configuration = APNsClient.Configuration(
    credentials: .token(credentials), endpoint: try .custom(url: arguments[0]))
  configuration.extraTrustPEM = try read("ca.pem")
  configuration.maxConnections = connections
  let payload = Array(SamplePush.payload.utf8)
  let batch = 500
  var report = PushReport()
  report.memoryIdle = ProcessTable.anonymousMemory(of: getpid())
  let bytesBefore = bytesWritten()
  let start = ContinuousClock.now
  let client = try APNsClient(configuration: configuration)
  // Several batches at a time, so that streams are not idle while the next batch is made. The client opens further
  // connections only for a large backlog.
  let parallel = connections == 1 ? 4 : 10 * connections
  let failed = await withTaskGroup(of: Int.self) { group in
    var left = count
    var failed = 0
    func sendMore() {
      guard left > 0 else { return }
      let pushes = (0..<min(batch, left)).map { _ in
        APNsNotification(
          deviceToken: SamplePush.token, topic: SamplePush.topic, priority: 10, payload: payload)
      }
      left -= pushes.count
      group.addTask { await client.send(pushes).count { $0.status != 200 } }
    }
    for _ in 0..<parallel { sendMore() }
    while let more = await group.next() {
      failed += more
      if report.memoryEarly == 0, count - left >= 100_000 {
        report.memoryEarly = ProcessTable.anonymousMemory(of: getpid())
      }
      sendMore()
    }
    return failed
  }
  report.seconds = (ContinuousClock.now - start) / .seconds(1)
  report.bytesPerPush = Double(bytesWritten() - bytesBefore) / Double(count)
  report.memoryLate = ProcessTable.anonymousMemory(of: getpid())
  await client.close()
  guard failed == 0 else { throw Failure(description: "\(failed) of \(count) pushes failed") }
  print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
}

/// The number of bytes that this process has written, to sockets too.
private func bytesWritten() -> Int {
  let line = ProcessTable.lines("/proc/self/io").first { $0.hasPrefix("wchar: ") }
  return line.flatMap { Int($0.dropFirst("wchar: ".count)) } ?? 0
}

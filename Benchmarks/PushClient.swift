import APNs
import Foundation

/// What every push of the comparison carries, ours and h2load's.
enum SamplePush {
  static let token = String(repeating: "0123456789abcdef", count: 4)
  static let topic = "com.example.app"
  static let payload: String = {
    let frame = #"{"aps":{"alert":{"title":"Title","body":""},"mutable-content":1}}"#
    let filling = String(repeating: "x", count: 297 - frame.utf8.count)
    return frame.replacingOccurrences(of: #""body":"""#, with: #""body":"\#(filling)""#)
  }()
}

/// What a client says of its pushes.
struct PushReport: Codable {
  /// From before the client is made, its connection included, to the last answer.
  var seconds = 0.0
  /// What the process wrote for each push, TLS included.
  var bytesPerPush = 0.0
  /// Anonymous memory before the first push, after the first 100,000 and after the last.
  var memoryIdle = 0
  var memoryEarly = 0
  var memoryLate = 0
}

/// Sends pushes, each with its own id, and prints a ``PushReport``: `push URL FOLDER COUNT CONNECTIONS`.
func pushClient(_ arguments: [String]) async throws {
  guard arguments.count == 4, let count = Int(arguments[2]), let connections = Int(arguments[3])
  else { return }
  let folder = URL(filePath: arguments[1])
  let read = { (name: String) in
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }
  let credentials = ProviderTokenCredentials(
    teamID: "A1B2C3D4E5", keyID: "K1L2M3N4O5", privateKeyPEM: try read("push.p8"))
  var configuration = APNsClient.Configuration(
    credentials: .token(credentials), endpoint: try .custom(url: arguments[0]))
  configuration.extraTrustPEM = try read("ca.pem")
  configuration.maxConnections = connections
  let payload = Array(SamplePush.payload.utf8)
  let batch = 500
  var report = PushReport()
  report.memoryIdle = MemoryWatch.anonymousMemory(of: getpid())
  let bytesBefore = bytesWritten()
  let start = ContinuousClock.now
  let client = try APNsClient(configuration: configuration)
  // A few batches at a time, so that streams do not lie idle while a next batch is made; for more
  // connections so many that the client sees cause to open them.
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
        report.memoryEarly = MemoryWatch.anonymousMemory(of: getpid())
      }
      sendMore()
    }
    return failed
  }
  report.seconds = (ContinuousClock.now - start) / .seconds(1)
  report.bytesPerPush = Double(bytesWritten() - bytesBefore) / Double(count)
  report.memoryLate = MemoryWatch.anonymousMemory(of: getpid())
  await client.close()
  guard failed == 0 else { throw Child.Failure(description: "\(failed) of \(count) pushes failed") }
  print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
}

/// What this process has written so far, to sockets too.
private func bytesWritten() -> Int {
  let line = Machine.lines("/proc/self/io").first { $0.hasPrefix("wchar: ") }
  return line.flatMap { Int($0.dropFirst("wchar: ".count)) } ?? 0
}

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

/// Sends pushes over one connection, each with its own id, and prints how many seconds it took from
/// before the connection to the last answer.
func pushClient(_ arguments: [String]) async throws {
  guard arguments.count == 3, let count = Int(arguments[2]) else { return }
  let folder = URL(filePath: arguments[1])
  let read = { (name: String) in
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }
  let credentials = ProviderTokenCredentials(
    teamID: "A1B2C3D4E5", keyID: "K1L2M3N4O5", privateKeyPEM: try read("push.p8"))
  var configuration = APNsClient.Configuration(
    credentials: .token(credentials), endpoint: try .custom(url: arguments[0]))
  configuration.extraTrustPEM = try read("ca.pem")
  let client = try APNsClient(configuration: configuration)
  let payload = Array(SamplePush.payload.utf8)
  let batch = 500
  let start = ContinuousClock.now
  // A few batches at a time, so that streams do not lie idle while a next batch is made.
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
    for _ in 0..<4 { sendMore() }
    while let more = await group.next() {
      failed += more
      sendMore()
    }
    return failed
  }
  let elapsed = ContinuousClock.now - start
  await client.close()
  guard failed == 0 else { throw Child.Failure(description: "\(failed) of \(count) pushes failed") }
  print(elapsed / .seconds(1))
}

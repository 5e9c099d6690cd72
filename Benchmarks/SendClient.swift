import APNs
import BenchmarkSample
import Foundation
import PushModel
import PushPayload
import PushServer
import PushStore

/// The measurement of one send.
struct SendReport: Codable {
  /// The time from before its acceptance until it is complete.
  var seconds = 0.0
  /// Anonymous memory in bytes after the first tenth, and its peak.
  var memoryEarly = 0
  var memoryPeak = 0
}

/// The process `send URL FOLDER COUNT DATABASE`: stores devices, indexes them and prints `ready`; then sends each text on
/// standard input to all of them, as `martlet serve` does, and prints a ``SendReport``.
///
/// DATABASE is `sqlite`, for a file in the folder, or the address of a PostgreSQL database.
func sendServer(_ arguments: [String]) async throws {
  guard arguments.count == 4, let count = Int(arguments[2]) else { return }
  let folder = URL(filePath: arguments[1])
  let read = { (name: String) in
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }
  guard let secret = SecretKey(SecretKey.randomBytes()) else { return }
  let store = try await openStore(arguments[3], folder)
  let app = try NewApp(
    bundleID: SamplePush.topic, teamID: "A1B2C3D4E5", keyID: "K1L2M3N4O5",
    privateKey: read("push.p8")
  ).make(at: ServerClock.system.now(), sealedWith: secret).app
  try await store.add(app, keys: [])
  for start in stride(from: 0, to: count, by: 5000) {
    let devices = (start..<min(start + 5000, count)).map { number in
      var patch = DevicePatch()
      patch.attributes["first_name"] = Attribute(kind: .string, value: .string("Anna \(number)"))
      let digits = String(number, radix: 16)
      return ImportedDevice(
        id: Identifiers.makeObjectID(),
        token: SamplePush.token.dropLast(8) + String(repeating: "0", count: 8 - digits.count)
          + digits, patch: patch)
    }
    try await store.importDevices(devices, app: app.id, at: ServerClock.system.now())
  }

  let sender = try sandboxSender(
    arguments[0], trust: folder.appending(path: "ca.pem"), secretKey: secret)
  let dispatcher = Dispatcher(store: store, sender: sender)
  let delivery = Task { await dispatcher.run() }
  let audiences = Audiences(store)
  try await audiences.prepare(app: app.id)
  print("ready")
  fflush(nil)
  var last: Send?
  while let text = readLine() {
    let (report, send) = try await measure(
      text, to: app, store: store, audiences: audiences, dispatcher: dispatcher)
    guard send.counts.sent == count else {
      throw Child.Failure(description: "\(count - send.counts.sent) of \(count) were not sent")
    }
    last = send
    print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
    fflush(nil)
  }
  dispatcher.stop()
  await delivery.value
  await sender.close()
  guard let last else { return }
  // The outcomes are there for any process that opens the store.
  let again = try await openStore(arguments[3], folder)
  for number in stride(from: 1, through: UInt32(count), by: count / 100) {
    guard try await again.outcome(of: last.id, app: app.id, device: number)?.status == 200 else {
      throw Child.Failure(description: "the outcome of device \(number) was not stored")
    }
  }
}

/// A sender to a sandbox, whose certificate is signed by the one in a file.
func sandboxSender(_ url: String, trust: URL, secretKey: SecretKey) throws -> APNsSender {
  let endpoint = try APNsEndpoint.custom(url: url)
  let pem = try String(contentsOf: trust, encoding: .utf8)
  return APNsSender(
    endpoints: .init(production: endpoint, development: endpoint, extraTrustPEM: pem),
    secretKey: secretKey)
}

private func openStore(_ database: String, _ folder: URL) async throws -> any PushStore {
  guard database == "sqlite" else { return try await PostgreSQLPushStore(url: database) }
  return try SQLitePushStore(path: folder.appending(path: "send.sqlite").path)
}

private func measure(
  _ text: String, to app: App, store: any PushStore, audiences: Audiences,
  dispatcher: Dispatcher
) async throws -> (SendReport, Send) {
  var report = SendReport()
  let start = ContinuousClock.now
  let now = ServerClock.system.now()
  // As long as the payload of the client alone.
  let payload: JSONValue = [
    "title": .string(text), "alert": .string(String(repeating: "x", count: 180)),
    "mutable_content": true,
  ]
  let everyone = Audience(id: "everyone", app: app.id, filters: [], createdAt: now)
  var send = Send(
    id: Identifiers.makeObjectID(), messageID: Identifiers.makeObjectID(), app: app.id,
    audience: everyone.id,
    payload: payload, createdAt: now)
  let devices = try await audiences.devices(of: everyone, at: now)
  send = try await store.accept(
    send, to: everyone, segments: [Segment(dueAt: now, devices: devices)])
  dispatcher.signal()
  var polls = 0
  while !send.state.isOver {
    try await Task.sleep(for: .milliseconds(20))
    send = try await store.send(send.id, app: app.id) ?? send
    polls += 1
    // Memory every 100 ms: reading it at every poll took 0.3 % of the processor time.
    guard polls.isMultiple(of: 5) else { continue }
    let memory = ProcessTable.anonymousMemory(of: getpid())
    if report.memoryEarly == 0, send.counts.sent * 10 >= send.counts.targeted {
      report.memoryEarly = memory
    }
    report.memoryPeak = max(report.memoryPeak, memory)
  }
  report.seconds = (ContinuousClock.now - start) / .seconds(1)
  return (report, send)
}

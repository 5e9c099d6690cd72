import APNs
import BenchmarkSample
import Foundation
import PushModel
import PushPayload
import PushServer
import PushStore

/// The process `node URL FOLDER DATABASE NAME COUNT`: a node that reads commands on standard input.
///
/// `start` and `stop` start and stop its dispatcher, `send` sends to all devices and prints the seconds that it took.
func nodeServer(_ arguments: [String]) async throws {
  guard arguments.count == 5, let count = Int(arguments[4]) else { return }
  let folder = URL(filePath: arguments[1])
  let store = try await PostgreSQLPushStore(url: arguments[2])
  let key = try String(contentsOf: folder.appending(path: "push.p8"), encoding: .utf8)
  if count > 0 { try await makeApp(devices: count, key: key, in: store) }
  guard let app = try await store.apps().first else { return }
  let sender = try OneConnection(to: arguments[0], folder, key)
  var working: (dispatcher: Dispatcher, run: Task<Void, Never>)?
  func stop() async {
    working?.dispatcher.stop()
    await working?.run.value
    working = nil
  }
  func printLine(_ line: String) {
    print(line)
    fflush(nil)
  }
  printLine("ready")
  while let line = readLine() {
    switch line {
    case "start":
      let dispatcher = Dispatcher(store: store, sender: sender, owner: arguments[3])
      let announcements = store.announcements()
      let announcementTask = Task {
        guard let announcements else { return }
        for await _ in announcements { dispatcher.signal() }
      }
      working = (
        dispatcher,
        Task {
          await dispatcher.run()
          announcementTask.cancel()
        }
      )
      printLine("started")
    case "stop":
      await stop()
      printLine("stopped")
    default: printLine("\(try await sendToAll(of: app, count, store))")
    }
  }
  await stop()
  await sender.close()
}

private func makeApp(
  devices count: Int, key: String, in store: PostgreSQLPushStore
) async throws {
  guard let secret = SecretKey(SecretKey.randomBytes()) else { return }
  let app = try NewApp(
    bundleID: SamplePush.topic, teamID: "A1B2C3D4E5", keyID: "K1L2M3N4O5", privateKey: key
  ).make(at: ServerClock.system.now(), sealedWith: secret).app
  try await store.add(app, keys: [])
  for start in stride(from: 0, to: count, by: 5000) {
    let devices = (start..<min(start + 5000, count)).map { number in
      let digits = String(number, radix: 16)
      return ImportedDevice(
        id: Identifiers.makeObjectID(),
        token: SamplePush.token.dropLast(8) + String(repeating: "0", count: 8 - digits.count)
          + digits, patch: DevicePatch())
    }
    try await store.importDevices(devices, app: app.id, at: ServerClock.system.now())
  }
}

/// Sends to all devices, and returns the seconds until the last outcome was stored.
private func sendToAll(
  of app: App, _ count: Int, _ store: PostgreSQLPushStore
) async throws -> Double {
  let now = ServerClock.system.now()
  let start = ContinuousClock.now
  var send = Send(
    id: Identifiers.makeObjectID(), messageID: Identifiers.makeObjectID(), app: app.id,
    audience: "everyone",
    payload: ["alert": .string(String(repeating: "x", count: 200))], createdAt: now)
  let everyone = Audience(id: "everyone", app: app.id, filters: [], createdAt: now)
  let devices = DeviceNumbers((1...UInt32(count)).map(\.self))
  send = try await store.accept(
    send, to: everyone, segments: [Segment(dueAt: now, devices: devices)])
  while !send.state.isOver {
    try await Task.sleep(for: .milliseconds(20))
    send = try await store.send(send.id, app: app.id) ?? send
  }
  guard send.counts.sent == count else {
    throw Child.Failure(description: "\(count - send.counts.sent) of \(count) were not sent")
  }
  return (ContinuousClock.now - start) / .seconds(1)
}

/// A sender with one connection, on which the sandbox allows 500 streams.
private final class OneConnection: PushSender {
  private let client: APNsClient

  init(to url: String, _ folder: URL, _ key: String) throws {
    var configuration = APNsClient.Configuration(
      credentials: .token(
        ProviderTokenCredentials(
          teamID: "A1B2C3D4E5", keyID: "K1L2M3N4O5", privateKeyPEM: key)),
      endpoint: try .custom(url: url))
    configuration.extraTrustPEM = try String(
      contentsOf: folder.appending(path: "ca.pem"), encoding: .utf8)
    configuration.maxConnections = 1
    client = try APNsClient(configuration: configuration)
  }

  func send(
    _ pushes: [APNsNotification], of sendClass: SendClass, for app: App, development: Bool
  ) async throws -> [APNsOutcome] {
    await client.send(pushes)
  }

  func close() async { await client.close() }
}

import APNs
import BenchmarkSample
import Foundation
import PushModel
import PushPayload
import PushServer
import PushStore
import _SQLite

/// The process `serve`: serves as `martlet serve` does, until its standard input ends.
///
/// `serve FOLDER DATABASE DEVICES COLLECTOR APNS` keeps its store in the folder where DATABASE is `sqlite`, and otherwise in the PostgreSQL
/// database at that address. DEVICES are `stored`, `tagged`, which first gives the stored ones tags and events, or a number,
/// which stores none and indexes as many generated ones. COLLECTOR is the address that gets a trace of every request, or
/// `none`. APNS is the URL that pushes are sent to, or `none` where each is answered at once. When it is ready, it prints the port, an app's key, the server's key,
/// the app and the seconds it took.
func serve(_ arguments: [String]) async throws {
  guard arguments.count == 5, let secret = SecretKey([UInt8](repeating: 7, count: 32)) else {
    return
  }
  let (folder, database) = (URL(filePath: arguments[0]), arguments[1])
  let path = folder.appending(path: "server.sqlite").path
  let snapshots = folder.appending(
    path: database == "sqlite" ? "snapshots" : "snapshots-\(getpid())")
  if arguments[2] == "tagged" {
    try giveTags(path)
    // The log does not tell of these changes.
    try? FileManager.default.removeItem(at: snapshots)
  }
  let start = ContinuousClock.now
  let store: any PushStore =
    if database == "sqlite" { try SQLitePushStore(path: path) } else {
      try await PostgreSQLPushStore(url: database)
    }
  if try await store.apps().isEmpty {
    let pem = try String(contentsOf: folder.appending(path: "push.p8"), encoding: .utf8)
    let made = try NewApp(
      bundleID: SamplePush.topic, teamID: "A1B2C3D4E5", keyID: "K1L2M3N4O5", privateKey: pem
    ).make(at: ServerClock.system.now(), sealedWith: secret)
    try await store.add(made.app, keys: [])
  }
  guard let app = try await store.apps().first else { return }
  let (key, record) = APIKey.make(role: .admin, app: app.id, at: ServerClock.system.now())
  let (admin, adminRecord) = APIKey.make(role: .server, app: nil, at: ServerClock.system.now())
  try await store.add(record)
  try await store.add(adminRecord)
  let audiences = UInt32(arguments[2]).map {
    Audiences(GeneratedDevices(count: $0, app: app.id), folder: snapshots.path + "-generated")
  }
  var configuration = PushServer.Configuration()
  configuration.site.mediaFolder = folder.appending(path: "media").path
  configuration.audienceFolder = snapshots.path
  configuration.node = "node-\(getpid())"
  if arguments[3] != "none" {
    (configuration.traceEndpoint, configuration.traceSample) = (arguments[3], 1)
  }
  let sender: any PushSender =
    arguments[4] == "none"
    ? InstantSender()
    : try sandboxSender(
      arguments[4], trust: folder.appending(path: "ca.pem"), secretKey: secret)
  let server = try PushServer(
    configuration, store: store, secretKey: secret, sender: sender, audiences: audiences
  ) { FileHandle.standardError.write(Data(($0.message + "\n").utf8)) }
  async let running: Void = server.run()
  try await audiences?.prepare(app: app.id)
  while try !isReady(server.port) { try await Task.sleep(for: .milliseconds(50)) }
  print("\(server.port) \(key) \(admin) \(app.id) \((ContinuousClock.now - start) / .seconds(1))")
  fflush(nil)
  while readLine() != nil {}
  await server.stop()
  await running
}

private func isReady(_ port: UInt16) throws -> Bool {
  let connection = try LoadConnection(port: port)
  let request = "GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
  return LoadConnection.status(try connection.answer(to: Array(request.utf8))) == 200
}

/// Gives the devices tags and events, for which an import has no columns, by their numbers.
private func giveTags(_ path: String) throws {
  let connection = try SQLiteConnection(path: path, busyTimeout: .seconds(5))
  try connection.execute(
    """
    UPDATE devices SET tags = CASE (key & 4294967295) % 3
      WHEN 0 THEN '["news"]' WHEN 1 THEN '["news","sport"]' ELSE '["sport"]' END,
    events = CASE WHEN (key & 4294967295) % 2 = 0
      THEN '{"video_plays":[' || (key & 4294967295) % 40 || ',1700000000000,1700000000000]}'
      ELSE '{}' END
    """)
}

/// Devices that are generated and not stored, with the values that `tagged` gives.
struct GeneratedDevices: DeviceLog {
  let count: UInt32
  let app: String
  private static let plans = ["gold", "silver", "bronze", "free", "trial"]

  func devices(
    app: String, above number: UInt32?, limit: Int
  ) async throws(StoreError) -> [Device] {
    let first = (number ?? 0) + 1
    guard first <= count else { return [] }
    return (first...min(count, first + UInt32(limit) - 1)).map(device)
  }

  func devices(app: String, numbers: DeviceNumbers) async throws(StoreError) -> [Device] {
    numbers.map(device)
  }

  // A log without a change has no snapshot.
  func lastChange(app: String) async throws(StoreError) -> Int64 { 1 }
  func lastChanges() async throws(StoreError) -> [String: Int64] { [app: 1] }
  func changes(
    app: String, after sequence: Int64, limit: Int
  ) async throws(StoreError) -> DeviceChanges? {
    DeviceChanges(devices: DeviceNumbers(sequence == 0 ? [1] : []), last: 1)
  }
  func trimChanges(app: String, through sequence: Int64) async throws(StoreError) {}

  private func device(_ number: UInt32) -> Device {
    let time = Timestamp(milliseconds: 1_700_000_000_000 + Int64(number))
    var device = Device(id: "device-\(number)", createdAt: time)
    device.number = number
    device.token = "b0"
    device.userID = "user-\(number)"
    device.tags = [["news"], ["news", "sport"], ["sport"]][Int(number % 3)]
    let plan = Self.plans[Int(number % 5)]
    device.attributes["plan"] = Attribute(kind: .string, value: .string(plan))
    if number % 2 == 0 {
      device.events["video_plays"] = EventCount(count: Int(number % 40), first: time, last: time)
    }
    return device
  }
}

/// A sender whose pushes are answered with 200 at once.
private struct InstantSender: PushSender {
  func send(
    _ pushes: [APNsNotification], of sendClass: SendClass, for app: App, development: Bool
  ) async throws -> [APNsOutcome] {
    pushes.map { APNsOutcome(kind: .answered, status: 200, apnsID: $0.id) }
  }
  func close() async {}
}

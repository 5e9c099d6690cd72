import BenchmarkSample
import Foundation
import PushModel
import PushPayload
import PushServer
import PushStore

/// What an index of many devices and a send to nearly half of them take.
struct ScaleReport: Codable {
  var devices = 0
  /// To make the index of generated devices, and what it takes afterwards.
  var indexSeconds = 0.0
  var indexMemory = 0
  var snapshotBytes = 0
  /// To read the snapshot in a new index, and to count everyone after that.
  var restartSeconds = 0.0
  var countMilliseconds = 0.0
  /// To find 19 of 40 devices, which are spread over all, and what their set takes.
  var freezeSeconds = 0.0
  var audienceBytes = 0
  var acceptSeconds = 0.0
  /// The batches that were cut, leased and finished, and the seconds of the first and of the last 1,000.
  var batches = 0
  var sendSeconds = 0.0
  var firstSeconds = 0.0
  var lastSeconds = 0.0
  /// What the batches with their outcomes take in the database.
  var databaseBytes = 0
  /// To remove the outcomes when they are outdated.
  var retentionSeconds = 0.0
}

/// The process `scale FOLDER DATABASE COUNT`: indexes generated devices, sends to 19 of 40 without APNs, and prints
/// a ``ScaleReport``; for a line on standard input it then removes the outcomes, and prints the seconds that it took.
///
/// The index, the audience, the queue and the outcomes are those of `martlet serve`. No device is a row of the database, so
/// a batch finds none to read.
func scaleClient(_ arguments: [String]) async throws {
  guard arguments.count == 3, let count = UInt32(arguments[2]),
    let secret = SecretKey(SecretKey.randomBytes())
  else { return }
  let folder = URL(filePath: arguments[0])
  let store = try await PostgreSQLPushStore(url: arguments[1])
  let app = try NewApp(
    bundleID: SamplePush.topic, teamID: "A1B2C3D4E5", keyID: "K1L2M3N4O5",
    privateKey: String(contentsOf: folder.appending(path: "push.p8"), encoding: .utf8)
  ).make(at: ServerClock.system.now(), sealedWith: secret).app
  try await store.add(app, keys: [])
  var report = ScaleReport()
  report.devices = Int(count)
  let devices = try await index(count, of: app, folder.appending(path: "scale"), &report)
  try await send(to: devices, of: app, store, &report)
  print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
  fflush(nil)
  guard readLine() != nil else { return }
  print(try await removeOutcomes(store))
}

private func index(
  _ count: UInt32, of app: App, _ folder: URL, _ report: inout ScaleReport
) async throws -> DeviceNumbers {
  let log = GeneratedDevices(count: count, app: app.id)
  let memory = ProcessTable.anonymousMemory(of: getpid())
  let made = Audiences(log, folder: folder.path)
  report.indexSeconds = try await seconds { try await made.prepare(app: app.id) }
  report.indexMemory = ProcessTable.anonymousMemory(of: getpid()) - memory
  let manifest = folder.appending(path: "\(app.id)/manifest").path
  let following = Task { await made.follow(clock: .system) }
  while !FileManager.default.fileExists(atPath: manifest) {
    try await Task.sleep(for: .milliseconds(50))
  }
  following.cancel()
  await following.value
  report.snapshotBytes = try FileManager.default.contentsOfDirectory(
    at: folder.appending(path: app.id), includingPropertiesForKeys: [.fileSizeKey]
  ).reduce(0) { try $0 + ($1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
  let again = Audiences(log, folder: folder.path)
  report.restartSeconds = try await seconds { try await again.prepare(app: app.id) }
  let now = ServerClock.system.now()
  let half = Audience(
    id: "half", app: app.id,
    filters: [
      Filter(
        field: .event("video_plays"), criteria: [.range([Filter.Bound(.gte, .integer(1))])])
    ], createdAt: now)
  report.countMilliseconds =
    1000 * (try await seconds { _ = try await again.count(of: half, at: now) })
  var found = DeviceNumbers()
  report.freezeSeconds = try await seconds { found = try await again.devices(of: half, at: now) }
  report.audienceBytes = found.packed.count
  return found
}

private func send(
  to devices: DeviceNumbers, of app: App, _ store: PostgreSQLPushStore, _ report: inout ScaleReport
) async throws {
  let now = ServerClock.system.now()
  let audience = Audience(id: "half", app: app.id, filters: [], createdAt: now)
  var send = Send(
    id: Identifiers.makeObjectID(), messageID: Identifiers.makeObjectID(), app: app.id,
    audience: audience.id, payload: ["alert": "News"], createdAt: now)
  report.acceptSeconds = try await seconds {
    send = try await store.accept(
      send, to: audience, segments: [Segment(dueAt: now, devices: devices)])
  }
  let workers = (0..<4).map { worker in
    Task {
      var times: [Double] = []
      while try await finishBatch("worker-\(worker)", store) {
        times.append(ServerClock.system.now().seconds)
      }
      return times
    }
  }
  var times: [Double] = []
  for worker in workers { times += try await worker.value }
  times.sort()
  report.batches = times.count
  let part = min(1000, times.count / 2)
  report.firstSeconds = times[part] - now.seconds
  report.lastSeconds = times[times.count - 1] - times[times.count - 1 - part]
  report.sendSeconds = times[times.count - 1] - now.seconds
  guard let ended = try await store.send(send.id, app: app.id), ended.state == .complete,
    ended.counts.sent == devices.count
  else { throw Child.Failure(description: "the send did not complete") }
}

private func removeOutcomes(_ store: PostgreSQLPushStore) async throws -> Double {
  var retention = Retention()
  retention.outcomes = .zero
  let later = ServerClock.system.now() + .seconds(86_400)
  return try await seconds { [retention] in
    while try await store.removeOutdated(retention, at: later, limit: 1000) {}
  }
}

/// Leases a batch, and gives each of its devices the outcome of a push that Apple took; `false` where none is due.
private func finishBatch(_ owner: String, _ store: PostgreSQLPushStore) async throws -> Bool {
  let now = ServerClock.system.now()
  let request = LeaseRequest(owner: owner, at: now, until: now + .seconds(30))
  guard let batch = try await store.leaseBatch(request) else { return false }
  let outcomes = batch.targets.map {
    Outcome(device: $0.number, result: .sent, status: 200, reason: nil, time: now)
  }
  try await store.finish(batch, outcomes: outcomes, retries: [], alarm: nil, at: now)
  return true
}

private func seconds(_ body: () async throws -> Void) async throws -> Double {
  let start = ContinuousClock.now
  try await body()
  return (ContinuousClock.now - start) / .seconds(1)
}

extension Timestamp {
  fileprivate var seconds: Double { Double(milliseconds) / 1000 }
}

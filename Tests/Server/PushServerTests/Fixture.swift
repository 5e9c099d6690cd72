import APNs
import Foundation
import PushModel
import PushPayload
import PushStore
import Synchronization
import Testing
import _HTTPServer
import _OpenSSLCrypto
import TestSupport

@testable import PushServer

/// An API over a store of its own, with an app, a key for each role, and a fake APNs.
final class Fixture: Sendable {
  let directory = TemporaryFolder()
  let store: SQLitePushStore
  let clock = ManualClock()
  let apple = FakeApple()
  let metrics = ServerMetrics(store: StoreTimings())
  let secretKey: SecretKey
  let router: Router
  let app: App
  let keys: [APIKey.Role: String]

  /// The folder of a store without rows, which each fixture copies: its schema has hundreds of statements.
  private static let emptyStore = Task {
    let folder = TemporaryFolder()
    try await SQLitePushStore(path: folder.path("made")).backup(to: folder.path("copy"))
    return folder
  }

  init(site: SiteSettings = SiteSettings()) async throws {
    let clock = self.clock
    secretKey = try #require(SecretKey(SecretKey.randomBytes()))
    let file = directory.file("martlet.sqlite")
    try await FileManager.default.copyItem(at: Self.emptyStore.value.file("copy"), to: file)
    store = try SQLitePushStore(path: file.path, timings: metrics.store)
    router = Router(
      Actions(
        store: store, secretKey: secretKey, clock: clock.serverClock, metrics: metrics, site: site))
    let created = try Self.newApp().make(at: clock.now, sealedWith: secretKey)
    try await store.add(created.app, keys: created.records)
    let (server, record) = APIKey.make(role: .server, app: nil, at: clock.now)
    try await store.add(record)
    let (reader, reading) = APIKey.make(role: .metrics, app: nil, at: clock.now)
    try await store.add(reading)
    app = created.app
    keys = Dictionary(uniqueKeysWithValues: created.keys.map { ($0.role, $0.key) })
      .merging([.server: server, .metrics: reader]) { $1 }
  }

  static func newApp(_ bundleID: String = "com.example.weather") -> NewApp {
    NewApp(
      bundleID: bundleID, teamID: "TEAM123456", keyID: "KEY1234567",
      privateKey: OpenSSLCrypto.makeP256KeyPEM())
  }

  /// Makes another app in the same store, with a key of each role.
  func makeOtherApp() async throws -> CreatedApp {
    let other = try Self.newApp("com.example.other").make(at: clock.now, sealedWith: secretKey)
    try await store.add(other.app, keys: other.records)
    return other
  }

  func dispatcher(_ sender: (any PushSender)? = nil, paddingMultiple: Int = 1) -> Dispatcher {
    Dispatcher(
      store: store, sender: sender ?? apple, clock: clock.serverClock, workers: 1,
      paddingMultiple: paddingMultiple, metrics: metrics)
  }

  /// Sends a payload to all devices, waits until APNs has answered for each, and returns the id.
  func complete(_ payload: JSONValue) async throws -> String {
    let id = await send(payload).json["notification"]?["id"]?.string ?? ""
    let dispatcher = dispatcher()
    let running = Task { await dispatcher.run() }
    try await until { try await store.send(id, app: app.id)?.state == .complete }
    dispatcher.stop()
    await running.value
    return id
  }

  /// Registers a device with a token made from its id.
  func register(_ id: String, _ edit: (inout DevicePatch) -> Void = { _ in }) async throws {
    var patch = DevicePatch()
    patch.token = .set(Self.token(id))
    edit(&patch)
    _ = try await store.update(device: id, app: app.id, patch, at: clock.now)
  }

  static func token(_ device: String) -> String {
    OpenSSLCrypto.sha256(Array(device.utf8)).map { byte in
      let hex = String(byte, radix: 16)
      return hex.count == 1 ? "0" + hex : hex
    }.joined()
  }

  // MARK: Requests

  func request(
    _ method: String, _ path: String, role: APIKey.Role? = .push, body: String = "",
    headers: [(String, String)] = [("Content-Type", "application/json")],
    from address: String = "127.0.0.1", to other: Router? = nil
  ) async -> Answer {
    await request(
      method, path, role: role, bytes: Array(body.utf8), headers: headers, from: address, to: other)
  }

  func request(
    _ method: String, _ path: String, role: APIKey.Role? = .push, bytes: [UInt8],
    headers: [(String, String)], from address: String = "127.0.0.1", to other: Router? = nil
  ) async -> Answer {
    let parts = path.split(separator: "?", maxSplits: 1)
    let query = (parts.count > 1 ? parts[1].split(separator: "&") : []).map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1)
      return (name: String(sides[0]), value: sides.count > 1 ? String(sides[1]) : "")
    }
    let authorization = role.flatMap { keys[$0] }.map { ("Authorization", Self.basic(":" + $0)) }
    return Answer(
      await (other ?? router).respond(
        to: HTTPRequest(
          method: method, path: String(parts[0]), query: query,
          headers: (headers + [authorization].compactMap { $0 }).map { (name: $0.0, value: $0.1) },
          body: bytes, remoteAddress: address)))
  }

  static func basic(_ credentials: String) -> String {
    "Basic " + Data(credentials.utf8).base64EncodedString()
  }

  /// Posts a payload to everyone.
  func send(_ payload: JSONValue, to target: JSONValue = "*") async -> Answer {
    let body: JSONValue = ["notification": ["to": target, "payload": payload]]
    return await request("POST", "/v6/notifications", body: body.text)
  }

  struct Answer {
    var status: Int
    var headers: [String: String]
    var text: String
    var bytes: [UInt8]
    private let body: HTTPResponse.Body
    var json: JSONValue { (try? JSONValue(parsing: text)) ?? .null }
    var error: String { json["error"]?.string ?? "" }

    init(_ response: HTTPResponse) {
      status = response.status
      headers = Dictionary(
        response.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
      text = response.bodyText
      bytes = response.body.bytes ?? []
      body = response.body
    }

    /// The text of a streamed body, read to its end.
    func streamed() async -> String {
      var bytes: [UInt8] = []
      if let chunks = body.chunks { for await chunk in chunks { bytes += chunk } }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

extension PushStore {
  /// Accepts a send to the devices that are in its audience now, due at once.
  func accept(_ send: Send, to audience: Audience) async throws -> Send {
    let devices = try await Audiences(self).devices(of: audience, at: send.createdAt)
    let segment = Segment(dueAt: send.scheduledAt ?? send.createdAt, devices: devices)
    return try await accept(send, to: audience, segments: [segment])
  }
}

extension JSONValue {
  var text: String { String(decoding: serialized(), as: UTF8.self) }
}

extension HTTPResponse {
  /// The body as text; empty where it is a file or a stream.
  var bodyText: String {
    String(decoding: body.bytes ?? [], as: UTF8.self)
  }
}

/// A sender that answers as a test sets, and records every push.
final class FakeApple: PushSender {
  typealias Answer = @Sendable (APNsNotification) -> APNsOutcome

  struct Taken: Sendable {
    var push: APNsNotification
    var isDevelopment: Bool
    var payload: JSONValue { (try? JSONValue(parsing: Data(push.payload))) ?? .null }
  }

  private struct State {
    var taken: [Taken] = []
    var answer: Answer = { APNsOutcome(kind: .answered, status: 200, apnsID: $0.id) }
    var broadcasts: [(broadcast: APNsBroadcast, isDevelopment: Bool)] = []
    var broadcastAnswer = APNsOutcome(kind: .answered, status: 200, apnsID: "")
    var channels = 0
  }

  /// Channels that are always created, and whose pushes are recorded and answered alike.
  private struct Channels: PushChannels {
    let apple: FakeApple
    let isDevelopment: Bool

    func create(storing storage: APNsChannel.Storage) async -> APNsChannel {
      let number = apple.state.withLock { state in
        state.channels += 1
        return state.channels
      }
      return APNsChannel(id: "Y2hhbm5lbC\(number)", storage: storage)
    }

    func delete(_ id: String) async {}

    func send(_ broadcast: APNsBroadcast) async -> APNsOutcome {
      apple.state.withLock { state in
        state.broadcasts.append((broadcast, isDevelopment))
        var answer = state.broadcastAnswer
        answer.apnsID = broadcast.id
        return answer
      }
    }
  }

  private let state = Mutex(State())

  var taken: [Taken] { state.withLock(\.taken) }

  var broadcasts: [(broadcast: APNsBroadcast, isDevelopment: Bool)] {
    state.withLock(\.broadcasts)
  }

  func channels(of app: App, development: Bool) async -> any PushChannels {
    Channels(apple: self, isDevelopment: development)
  }

  func answer(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }

  func answerBroadcasts(_ answer: APNsOutcome) { state.withLock { $0.broadcastAnswer = answer } }

  func send(
    _ pushes: [APNsNotification], of sendClass: SendClass, for app: App, development: Bool
  ) async -> [APNsOutcome] {
    let answer = state.withLock { state in
      state.taken += pushes.map { Taken(push: $0, isDevelopment: development) }
      return state.answer
    }
    return pushes.map(answer)
  }

  func close() async {}
}

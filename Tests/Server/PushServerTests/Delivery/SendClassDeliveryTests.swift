import APNs
import PushModel
import PushPayload
import PushStore
import Synchronization
import TestSupport
import Testing

@testable import PushServer

@Suite("The classes of sends in delivery", .timeLimit(.minutes(10)))
struct SendClassDeliveryTests {
  private static let audience = 101

  private func fixture() async throws -> Fixture {
    let fixture = try await Fixture()
    for number in 0..<Self.audience {
      try await fixture.register("d\(number)") { $0.userID = .set("user-\(number)") }
    }
    return fixture
  }

  private func one(_ number: Int) -> JSONValue {
    [["name": "user_id", "criteria": [.string("user-\(number)")]]]
  }

  @Test(
    "a class whose pushes Apple does not answer holds up no push of the other class",
    arguments: SendClass.allCases)
  func isolated(stuck: SendClass) async throws {
    let fixture = try await fixture()
    let sender = HalfStuckSender(stuck, fixture.apple)
    let dispatcher = fixture.dispatcher(sender)
    let running = Task { await dispatcher.run() }
    // Twice as many transactional sends as a node has in flight.
    for number in 0..<(stuck == .transactional ? 128 : 0) {
      _ = await fixture.send(["alert": "Code"], to: one(number % Self.audience))
    }
    if stuck == .campaign { _ = await fixture.send(["alert": "News"]) }
    dispatcher.signal()
    try await until { sender.held > 0 }
    let free = await fixture.send(["alert": "Free"], to: stuck == .campaign ? one(7) : "*")
    dispatcher.signal()
    let id = try #require(free.json["notification"]?["id"]?.string)
    try await until { try await fixture.store.send(id, app: fixture.app.id)?.state == .complete }
    let answer = await fixture.request("GET", "/v6/notifications/\(id)")
    #expect(answer.json["class"]?.string == (stuck == .campaign ? "transactional" : "campaign"))
    sender.release()
    dispatcher.stop()
    await running.value
  }

  @Test("transactional sends are in flight together, and all of them end")
  func together() async throws {
    let fixture = try await fixture()
    let sender = HalfStuckSender(.transactional, fixture.apple)
    let dispatcher = fixture.dispatcher(sender)
    let running = Task { await dispatcher.run() }
    for number in 0..<100 { _ = await fixture.send(["alert": "Code"], to: one(number)) }
    dispatcher.signal()
    // A worker that waited for each answer would have one in flight.
    try await until { sender.held == 64 }
    sender.release()
    try await until { fixture.apple.taken.count == 100 }
    dispatcher.stop()
    await running.value
  }

  @Test(
    "a caller names the class of a notification and of a message's push",
    arguments: SendClass.allCases)
  func named(sendClass: SendClass) async throws {
    let fixture = try await fixture()
    let name = JSONValue.string(sendClass.rawValue)
    let payload: JSONValue = ["alert": "Hi"]
    let to = sendClass == .transactional ? "*" : one(1)
    let push: JSONValue = ["payload": payload, "class": name]
    let requests: [(String, JSONValue)] = [
      ("/v6/notifications", ["notification": ["to": to, "class": name, "payload": payload]]),
      ("/v6/messages", ["message": ["to": to, "title": "Hi", "notification": push]]),
    ]
    for (path, body) in requests {
      let made = await fixture.request("POST", path, body: body.text)
      let id = try #require(made.json["notification"]?["id"]?.string, "\(made.text)")
      #expect(await fixture.request("GET", "/v6/notifications/\(id)").json["class"] == name)
    }
  }

  @Test("a send has the class that its request names, otherwise that of its key, then of its app")
  func defaults() async throws {
    let fixture = try await fixture()
    func sendClass(_ request: String? = nil, _ key: String? = nil) async throws -> String? {
      let named = request.map { #","class":"\#($0)""# } ?? ""
      let made = await fixture.request(
        "POST", "/v6/notifications", role: key == nil ? .push : nil,
        body:
          #"{"notification":{"to":\#(one(1).text),"payload":{"alert":"Hi"}\#(named)}}"#,
        headers: [("Content-Type", "application/json")]
          + (key.map { [("Authorization", Fixture.basic(":" + $0))] } ?? []))
      let id = try #require(made.json["notification"]?["id"]?.string, "\(made.text)")
      return await fixture.request("GET", "/v6/notifications/\(id)").json["class"]?.string
    }
    func change(_ sendClass: String) async -> Fixture.Answer {
      await fixture.request(
        "PUT", "/v6/apps/\(fixture.app.id)", role: .admin, body: #"{"app":{"class":\#(sendClass)}}"#
      )
    }
    let made = await fixture.request(
      "POST", "/v6/apps/\(fixture.app.id)/keys", role: .admin,
      body: #"{"key":{"role":"push","class":"transactional"}}"#)
    #expect(made.json["key"]?["class"] == "transactional")
    let key = try #require(made.json["key"]?["key"]?.string)
    #expect(try await sendClass() == "transactional")
    #expect(await change(#""campaign""#).json["app"]?["class"] == "campaign")
    #expect(try await sendClass() == "campaign")
    #expect(try await sendClass(nil, key) == "transactional")
    #expect(try await sendClass("campaign", key) == "campaign")
    #expect(try await sendClass("transactional") == "transactional")
    #expect(await change("null").json["app"]?["class"] == .null)
    #expect(try await sendClass() == "transactional")
    #expect(await change(#""urgent""#).status == 422)
    let refused = await fixture.request(
      "POST", "/v6/apps/\(fixture.app.id)/keys", role: .admin,
      body: #"{"key":{"role":"push","class":"urgent"}}"#)
    #expect(refused.error == "$.key.class must be one of transactional, campaign")
  }
}

/// A sender that does not answer some pushes, such as those of one class, until it is released.
final class HalfStuckSender: PushSender {
  private struct State {
    var held = 0
    var isReleased = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let isStuck: @Sendable (SendClass, App) -> Bool
  private let apple: FakeApple
  private let state = Mutex(State())

  init(_ apple: FakeApple, isStuck: @escaping @Sendable (SendClass, App) -> Bool) {
    (self.apple, self.isStuck) = (apple, isStuck)
  }

  convenience init(_ stuck: SendClass, _ apple: FakeApple) {
    self.init(apple) { sendClass, _ in sendClass == stuck }
  }

  /// The number of batches that were held so far.
  var held: Int { state.withLock(\.held) }

  func release() {
    let waiting = state.withLock { state in
      state.isReleased = true
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func send(
    _ pushes: [APNsNotification], of sendClass: SendClass, for app: App, development: Bool
  ) async -> [APNsOutcome] {
    if isStuck(sendClass, app) {
      await withCheckedContinuation { continuation in
        let isReleased = state.withLock { state in
          state.held += 1
          if !state.isReleased { state.waiting.append(continuation) }
          return state.isReleased
        }
        if isReleased { continuation.resume() }
      }
    }
    return await apple.send(pushes, of: sendClass, for: app, development: development)
  }

  func close() async {}
}

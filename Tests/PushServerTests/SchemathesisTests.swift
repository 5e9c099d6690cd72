import APNs
import Foundation
import PushPayload
import PushStore
import Synchronization
import TestSupport
import Testing

@testable import PushServer

/// schemathesis reads the API's document and makes up requests by it, good and bad ones.
@Suite("The live server agrees with its own document", .timeLimit(.minutes(10)))
struct SchemathesisTests {
  @Test(
    "as schemathesis sees it, with a key of each role",
    arguments: [APIKey.Role.push, .analytics, .device, .admin, .server])
  func conformance(role: APIKey.Role) async throws {
    let fixture = try await Fixture()
    let ids = try await Self.seed(fixture)
    let configuration = try fixture.directory.write(
      Self.configuration(key: try #require(fixture.keys[role]), ids: ids),
      to: "st.toml")
    // Time runs fast here, so that no caller is too many.
    let second = Mutex(fixture.clock.now)
    let clock = ServerClock(
      now: {
        second.withLock { now in
          now = now + .seconds(1)
          return now
        }
      }, sleep: { _ in try await Task.sleep(for: .milliseconds(100)) })
    let metrics = ServerMetrics()
    let server = try PushServer(
      .init(), store: fixture.store, secretKey: fixture.secretKey, sender: fixture.apple,
      metrics: metrics, clock: clock
    ) { _ in }
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let run = await runProgram(
      root.appending(path: ".build/python/bin/st").path(),
      ["--no-color", "--config-file", configuration, "run"]
        + Self.operations(for: role).flatMap { ["--include-operation-id", $0.0] }
        + ["http://127.0.0.1:\(server.port)/v6/openapi.json"])
    await server.stop()
    if run.status != 0 { Issue.record("\(run.output)") }
    let answered = metrics.text(version: "0", oldestWait: .zero)
    for (id, route) in Self.operations(for: role) where !Self.needsMore.contains(id) {
      let row =
        "{method=\"\(route.method)\",route=\"\(route.path)\",status=\"2"
      #expect(answered.contains(row), "\(id) never did what it is for")
    }
  }

  /// Some of everything, so that an id of the document is an id of something: more than are removed.
  private static func seed(_ fixture: Fixture) async throws -> [String: [String]] {
    let (store, app, now) = (fixture.store, fixture.app.id, fixture.clock.now)
    var ids: [String: [String]] = ["app": [app]]
    let phones = (0..<300).map { "phone-\($0)" }
    try await store.importDevices(
      phones.map { name in
        var patch = DevicePatch()
        patch.tags = .set(["gold"])
        patch.userID = .set("ada")
        return ImportedDevice(id: name, token: Fixture.token(name), patch: patch)
      }, app: app, at: now)
    ids["device_id"] = phones
    ids["user_id"] = ["ada"]
    ids["group"] = ["SALES"]
    for number in 0..<100 {
      var audience = Audience(id: id(1, number), app: app, filters: [], createdAt: now)
      audience.name = "Audience \(number)"
      try await store.save(audience)
      ids["audience_id", default: []].append(audience.id)
      let hook = Webhook(
        id: id(2, number), app: app, url: "https://example.com/", events: ["device.erase"],
        sealedSecret: [], createdAt: now)
      // An app has 20 at most, and there is to be room for more.
      if number < 10 {
        try await store.add(hook)
        ids["webhook_id", default: []].append(hook.id)
      }
      let key = APIKey.make(role: .push, app: app, at: now).record
      try await store.add(key)
      ids["key_id", default: []].append(key.id)
      let send = Send(
        id: id(3, number), messageID: id(4, number), app: app, audience: audience.id,
        payload: ["alert": "Hi"], createdAt: now)
      // Half of them have been sent, so that there are outcomes; the others wait.
      let due = Segment(
        dueAt: number % 2 == 0 ? now : now + .seconds(1_000_000_000),
        devices: DeviceNumbers(Array(1...UInt32(phones.count))))
      _ = try await store.accept(send, to: audience, segments: [due])
      ids["notification_id", default: []].append(send.id)
      let message = Message(
        id: id(5, number), app: app, audience: audience.id, title: "Hi",
        content: ["text": "Hi"], createdAt: now, unpublishAt: now + .seconds(1_000_000_000))
      try await store.add(message)
      ids["message_id", default: []].append(message.id)
    }
    // Some were refused for no fault of theirs, and can be sent to again.
    let refused = Set(phones.suffix(100).map(Fixture.token))
    fixture.apple.answer { push in
      refused.contains(push.deviceToken)
        ? APNsOutcome(kind: .answered, status: 400, reason: .topicDisallowed, apnsID: push.id)
        : APNsOutcome(kind: .answered, status: 200, apnsID: push.id)
    }
    _ = await fixture.dispatcher().deliverDue()
    return ids
  }

  /// The same in every run, as the seed is.
  private static func id(_ kind: Int, _ number: Int) -> String {
    let digits = String(kind * 1000 + number, radix: 16)
    return String(repeating: "5eed", count: 5) + String(repeating: "0", count: 4 - digits.count)
      + digits
  }

  /// A key for APNs is not made up from a schema; tests of their own have them.
  private static let needsMore: Set = ["createApp", "previewNotification"]

  private static func operations(for role: APIKey.Role) -> [(String, Route)] {
    let versioned: [(String, Route)] = API.routes.compactMap { route in
      route.operation.map { ($0.documentID(in: route), route) }
    }
    // What streams ends with its send, and lines of JSON are no type that it can write; tests of
    // their own try those.
    let left = [
      Operation.streamNotification.id, Operation.importDevices.id,
      // Without its app there is nothing left to ask for.
      Operation.deleteApp.id,
    ]
    // An app's admin may do all that others may: what only it may do is enough here.
    let others: [APIKey.Role] = role == .admin ? [.push, .analytics, .device] : []
    return versioned.filter { id, route in
      // One handler serves all versions.
      !["v4", "v5"].contains(route.pattern.first) && route.access.admits(role)
        && !others.contains(where: route.access.admits)
        && !left.contains(id)
    }
  }

  private static func configuration(key: String, ids: [String: [String]]) -> String {
    let names = ids.keys.sorted()
    let parameters = names.map { "\($0) = { dictionary = \"\($0)\", probability = 0.8 }" }
    let dictionaries = names.map { name in
      let values = (ids[name] ?? []).map { "\"\($0)\"" }.joined(separator: ", ")
      return "[dictionaries.\(name)]\nvalues = [\(values)]\n"
    }
    return """
      seed = 1
      continue-on-failure = true
      workers = 1
      parameters = { \(parameters.joined(separator: ", ")) }

      [auth.basic]
      username = "key"
      password = "\(key)"

      \(dictionaries.joined(separator: "\n"))
      [generation]
      max-examples = 50
      # A caller may add what we do not read.
      allow-extra-parameters = true
      with-security-parameters = false

      [checks.positive_data_acceptance]
      # What a schema cannot say: bytes of the composed payload, an app that is there already.
      expected-statuses = ["2xx", "401", "403", "404", "409", "422", "451"]

      [checks.negative_data_rejection]
      expected-statuses = ["400", "401", "403", "404", "405", "409", "413", "415", "422", "451"]

      [output.truncation]
      enabled = false

      [cache]
      enabled = false

      [phases.stateful]
      enabled = false

      [warnings]
      fail-on = ["missing_auth", "missing_test_data"]

      # Of a device, and of a user's attributes, what is valid is taken and the rest dropped: that is the
      # contract.
      [[operations]]
      include-operation-id-regex = "^update(Device|User)"
      checks.negative_data_rejection.enabled = false

      # Dates that are none are among the examples, and events that cannot be read are 400.
      [[operations]]
      include-operation-id-regex = "^record(Device|User)Events"
      checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "403", "404", "451"]
      warnings = false

      # A key for APNs is not made up from a schema; tests of their own have good ones.
      [[operations]]
      include-operation-id = ["createApp", "readOutcome", "previewNotification"]
      warnings = false
      """
  }
}

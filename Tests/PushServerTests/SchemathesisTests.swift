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
    arguments: [APIKey.Role.push, .device, .admin, .server])
  func conformance(role: APIKey.Role) async throws {
    let fixture = try await Fixture()
    let ids = try await Self.seed(fixture)
    let configuration = try fixture.directory.write(
      Self.configuration(key: try #require(fixture.keys[role]), ids: ids, app: fixture.app.id),
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
    let server = try PushServer(
      .init(), store: fixture.store, secretKey: fixture.secretKey, sender: fixture.apple,
      clock: clock
    ) { _ in }
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let run = await runProgram(
      root.appending(path: ".build/python/bin/st").path(),
      ["--no-color", "--config-file", configuration, "run"]
        + Self.operations(for: role).flatMap { ["--include-operation-id", $0] }
        + ["http://127.0.0.1:\(server.port)/v6/openapi.json"])
    await server.stop()
    if run.status != 0 { Issue.record("\(run.output)") }
  }

  /// Something of everything, so that an id of the document is an id of something.
  private static func seed(_ fixture: Fixture) async throws -> [String] {
    for name in ["phone-1", "phone-2"] {
      try await fixture.register(name) { $0.tags = .set(["gold"]) }
    }
    let sent = await fixture.send(["alert": "Hi"])
    try #require(sent.status == 201)
    let ids = [
      sent.json["id"], sent.json["notification"]?["id"], sent.json["to"]?["id"],
    ].compactMap { $0?.string }
    return ids + ["phone-1", "phone-2"]
  }

  private static func operations(for role: APIKey.Role) -> [String] {
    let versioned: [(String, Route)] = API.routes.compactMap { route in
      route.operation.map { ($0.documentID(in: route), route) }
    }
    return versioned.filter { $0.1.access.admits(role) }.map(\.0)
  }

  private static func configuration(key: String, ids: [String], app: String) -> String {
    """
    seed = 1
    continue-on-failure = true
    workers = 1
    parameters = { id = { dictionary = "ids", probability = 0.8 }, \
    device_id = { dictionary = "ids", probability = 0.8 }, \
    app = { dictionary = "apps", probability = 0.8 } }

    [auth.basic]
    username = "key"
    password = "\(key)"

    [dictionaries.ids]
    values = [\(ids.map { "\"\($0)\"" }.joined(separator: ", "))]

    [dictionaries.apps]
    values = ["\(app)"]

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
    fail-on = ["missing_auth", "missing_test_data", "validation_mismatch"]

    # Of a device what is valid is taken and the rest dropped: that is the contract.
    [[operations]]
    include-operation-id-regex = "^updateDevice"
    checks.negative_data_rejection.enabled = false

    # A key for APNs and rows of CSV are not made up from a schema; tests of their own send good ones.
    [[operations]]
    include-operation-id = ["createApp", "importDevices"]
    warnings = false
    """
  }
}

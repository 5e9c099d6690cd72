import APNsSandbox
import Foundation
import PushModel
import PushPayload
import PushStore
import TestSupport
import Testing

@testable import MartletCommands

@Suite(
  "The stores of released versions", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct KeptVersionsTests {
  let folder = TemporaryFolder()
  /// Everything that retention would remove by now is kept.
  private static let keep = [
    "outcomes", "receipts", "messages", "uploads", "audit", "idempotency-keys",
  ].flatMap { ["--keep-\($0)", "3650"] }
  /// The members of answers that depend on the time of the request.
  private static let passing: Set = ["cursor", "last_hour", "phones"]

  @Test("stores of the oldest schema that is brought forward are kept") func first() {
    let oldest = KeptVersion.all.filter { $0.version == "0.1.0-schema.106" }
    #expect(oldest.count == KeptVersion.Database.allCases.count)
    #expect(SchemaSteps.firstVersion == 106)
  }

  @Test(
    "a server of today answers every GET as the server that made the store did, and goes on from there",
    arguments: KeptVersion.all)
  func served(kept: KeptVersion) async throws {
    try await kept.unpack(into: folder)
    let facts = try JSONValue(parsing: Data(contentsOf: folder.file("answers.json")))
    try await withStore(kept) { options in
      try await expectAnswers(facts, of: options)
      try await expectDelivery(facts, of: options)
    }
  }

  /// Runs a body with the options of a `serve` on the unpacked store.
  private func withStore(
    _ kept: KeptVersion, _ body: ([String]) async throws -> Void
  ) async throws {
    let options = ["--data", folder.path("data"), "--log-level", "warning"] + Self.keep
    switch kept.database {
    case .sqlite: try await body(options)
    case .postgresql:
      try await PostgreSQLCluster().use { cluster in
        try await cluster.load(
          dump: String(contentsOf: folder.file("dump.sql"), encoding: .utf8))
        try await body(options + ["--database", cluster.url])
      }
    }
  }

  private func client(
    _ facts: JSONValue, _ url: String, role: String = "push"
  ) -> ServerClient {
    ServerClient(base: url, key: facts["keys"]?[role]?.string ?? "")
  }

  /// Compares the answers to the recorded requests, while nothing can be sent.
  private func expectAnswers(_ facts: JSONValue, of options: [String]) async throws {
    let unreachable = ["--apns", "https://127.0.0.1:1"]
    let server = try ServeProcess(options + unreachable)
    let url = try #require(await server.url())
    let recorded = facts["answers"]?.array ?? []
    #expect(recorded.count > 60)
    for request in recorded {
      let path = request["path"]?.string ?? ""
      let client = client(facts, url, role: request["role"]?.string ?? "")
      let answer = try await client.request("GET", path)
      let losses = Self.losses(from: request["answer"] ?? .null, to: answer)
      #expect(losses.isEmpty, "GET \(path)")
    }
    // A stop would wait for the pushes that it tries to send.
    server.kill()
    await server.ended()
  }

  /// The paths of the recorded values that an answer does not have; it may have further members.
  private static func losses(
    from recorded: JSONValue, to answer: JSONValue?, at path: String = "$"
  ) -> [String] {
    switch (recorded, answer) {
    case (.object(let members), .object(let found)):
      members.filter { !passing.contains($0.key) }.flatMap { name, value in
        losses(from: value, to: found[name], at: "\(path).\(name)")
      }.sorted()
    case (.array(let elements), .array(let found)) where elements.count == found.count:
      zip(elements, found).enumerated().flatMap { index, pair in
        losses(from: pair.0, to: pair.1, at: "\(path)[\(index)]")
      }
    default:
      recorded == answer ? [] : ["\(path): \(recorded), now \(answer.map { "\($0)" } ?? "absent")"]
    }
  }

  /// Lets the send that was under way end: who had an outcome gets nothing, and everyone else one push.
  private func expectDelivery(_ facts: JSONValue, of options: [String]) async throws {
    let apns = try await Witness(p8: facts["p8"]?.string ?? "", stallsAfter: .max)
    let authority = try folder.write(apns.caPEM, to: "apns.pem")
    let serve = try #require(
      await RunningServe.start(options + ["--apns", apns.url, "--apns-ca", authority]))
    let client = client(facts, serve.url)
    let sending = try #require(facts["sending"]?.string)
    let outcomes = facts["answers"]?.array?
      .first { $0["path"]?.string == "/v6/notifications/\(sending)/outcomes" }
    let done = Set(
      (outcomes?["answer"]?["outcomes"]?.array ?? []).compactMap { $0["device_id"]?.string })
    #expect(!done.isEmpty)
    let expected = (0..<60).filter { !done.contains("device\($0)") }.map { number in
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 64 - digits.count) + digits
    }
    let key = facts["keys"]?["push"]?.string ?? ""
    try await finish(sending, through: client, key: key)
    let pushes = apns.accepted.filter { $0.collapseID == sending }.map(\.token)
    #expect(pushes.sorted() == expected)

    // What the old version stored is sent again, a test that it began is decided, and new work is taken.
    let complete = try #require(facts["complete"]?.string)
    let replay = try await client.request("POST", "/v6/notifications/\(complete)/replay")
    let again = try #require(replay["notification"]?["id"]?.string)
    try await finish(again, through: client, key: key)
    let texts = apns.accepted.filter { $0.collapseID == again }
      .map { String(decoding: $0.payload, as: UTF8.self) }
    #expect(texts.count == 1)
    #expect(texts.allSatisfy { $0.contains("Hallo") && $0.contains("carousel") }, "\(texts)")
    let run = try #require(facts["run"]?.string)
    let decision: JSONValue = ["variant": "a"]
    let decided = try await client.request(
      "POST", "/v6/runs/\(run)/decide", body: decision.serialized())
    #expect(decided["run"]?["decision"]?["variant"] == "a")
    let body: JSONValue = ["notification": ["to": "*", "payload": ["alert": "New"]]]
    let new = try await client.request("POST", "/v6/notifications", body: body.serialized())
    try await finish(new["notification"]?["id"]?.string ?? "", through: client, key: key)
    #expect(await serve.stop() == .success)
    await apns.stop()
  }

  private func finish(
    _ notification: String, through client: ServerClient, key: String
  ) async throws {
    let path = "/v6/notifications/\(notification)"
    // The stream of its states ends when it does.
    _ = await runProgram(
      "/usr/bin/curl", ["-sN", "-m", "400", "-u", ":" + key, client.base + path + "/stream"])
    #expect(try await client.request("GET", path)["state"] == "complete")
  }
}

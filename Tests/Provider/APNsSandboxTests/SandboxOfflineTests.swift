import APNs
import APNsSandbox
import APNsTestSupport
import PushPayload
import Synchronization
import Testing

@Suite("Devices of a sandbox that go offline and come back", .timeLimit(.minutes(10)))
struct SandboxOfflineTests {
  private static let now: Int64 = 1_800_000_000_000

  /// The fates in a journal, such as `a1 stored`, with the first two characters of the `apns-id`.
  private static func fates(_ fixture: SandboxFixture) throws -> [String] {
    try fixture.record.journal.map { try JSONValue(parsing: $0) }.compactMap { line in
      guard let fate = line["delivery"]?.string, let id = line["apns_id"]?.string else {
        return nil
      }
      return "\(id.prefix(2)) \(fate)"
    }
  }

  private static func id(_ name: String) -> String {
    name + "000000-0000-4000-8000-000000000000"
  }

  @Test(
    "pushes are answered as ever, kept by the rule, and delivered when the device is back",
    arguments: [(.last, ["a2"]), (.several, ["a1", "a2"])] as [(OfflineStorage, [String])])
  func comesBack(storage: OfflineStorage, delivered: [String]) async throws {
    let time = Mutex(Self.now)
    let fixture = try await SandboxFixture.start {
      $0.offlineStorage = storage
      $0.offlineTokens = ["0A0B"]
      $0.now = { time.withLock { $0 } }
    }
    let client = try fixture.client { $0.now = { time.withLock { $0 / 1000 } } }
    func send(_ name: String, _ edit: (inout APNsNotification) -> Void) async {
      let outcome = await client.send(
        push("0a0b") {
          $0.id = Self.id(name)
          edit(&$0)
        })
      #expect(outcome.status == 200)
    }
    await send("a0") { $0.expiration = .oneAttempt }
    await send("a1") { $0.collapseID = "match" }
    await send("a2") { $0.collapseID = "weather" }
    #expect(fixture.record.delivered.isEmpty)
    time.withLock { $0 += 1000 }
    await fixture.sandbox.reconnect("0a0b")
    #expect(fixture.record.delivered.map { String($0.apnsID.prefix(2)) } == delivered)
    #expect(fixture.record.delivered.allSatisfy { $0.time == Self.now })
    let middle = storage == .last ? ["a1 replaced"] : []
    #expect(
      try Self.fates(fixture) == ["a0 not-stored", "a1 stored"] + middle + ["a2 stored"]
        + delivered.map { $0 + " delivered" })
    await send("a3") { _ in }
    #expect(fixture.record.delivered.last?.apnsID == Self.id("a3"))
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("a line of the journal names the push and its time, and follows that of the request")
  func journal() async throws {
    let fixture = try await SandboxFixture.start()
    let client = try fixture.client()
    #expect(await fixture.sandbox.disconnect("0A0B"))
    #expect(await client.send([push("0a0b"), push("0c")]).map(\.status) == [200, 200])
    #expect(fixture.record.delivered.map(\.token) == ["0c"])
    let lines = try fixture.record.journal.map { try JSONValue(parsing: $0) }
    let index = try #require(lines.firstIndex { $0["delivery"] != nil })
    let (request, fate) = (lines[index - 1], lines[index])
    #expect(
      fate.object?.keys.sorted() == [
        "apns_id", "connection", "delivery", "stream", "time", "token",
      ])
    for key in ["connection", "stream", "time", "token"] { #expect(fate[key] == request[key]) }
    #expect(fate["delivery"] == "stored" && request["status"] == 200)
    await client.close()
    await fixture.sandbox.stop()
  }

  @Test("a push that is refused is not kept")
  func refused() async throws {
    let fixture = try await SandboxFixture.start {
      $0.offlineTokens = ["0a", "0b"]
      $0.goneTokens = ["0a": 1]
      $0.script = FaultScript([.init(.answer(status: 503), token: "0b")])
    }
    let client = try fixture.client()
    #expect(await client.send([push("0a"), push("0b")]).map(\.status) == [410, 503])
    for token in ["0a", "0b"] { await fixture.sandbox.reconnect(token) }
    #expect(fixture.record.delivered.isEmpty)
    #expect(try Self.fates(fixture).isEmpty)
    await client.close()
    await fixture.sandbox.stop()
  }
}

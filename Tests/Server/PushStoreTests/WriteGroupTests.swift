import PushPayload
import TestSupport
import Testing

@testable import PushModel
@testable import PushStore

@Suite("Requests that are committed together", .serialized, .timeLimit(.minutes(10)))
struct WriteGroupTests {
  let directory = TemporaryFolder()
  static let seeds = Array(UInt64(0)..<40).sampled(8)

  @Test("have the result of the same requests one by one on SQLite", arguments: seeds)
  func sqlite(seed: UInt64) async throws {
    let store = try SQLitePushStore(path: directory.path("groups.sqlite"))
    try await compare(store, seed: seed)
  }

  @Test(
    "have the result of the same requests one by one on PostgreSQL",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func postgreSQL() async throws {
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url, leaseClock: .caller)
      for seed in Self.seeds { try await compare(store, seed: seed) }
    }
  }

  /// Makes the same random requests of two apps, one by one and in groups.
  private func compare(_ store: some SQLPushStore, seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let script = RandomReports(with: &random)
    let single = try await ReportedApp(store, "single-\(seed)")
    let grouped = try await ReportedApp(store, "grouped-\(seed)")
    var answers: [String] = []
    for step in script.steps { answers += try await single.run([step]) }
    var groupedAnswers: [String] = []
    var rest = script.steps[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...12, using: &random)
      groupedAnswers += try await grouped.run(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    #expect(groupedAnswers == answers, "seed \(seed)")
    let (expected, state) = (try await single.state(), try await grouped.state())
    #expect(state == expected, "seed \(seed)")
    #expect(answers.contains { $0 != "0" && $0 != "false" }, "seed \(seed) stores nothing")
  }

  @Test("a request that is refused does not take the others of its group with it")
  func refused() async throws {
    let store = try SQLitePushStore(path: directory.path("refused.sqlite"))
    let app = try await ReportedApp(store, "refused")
    let events = ["d-0", "erased", "none", "d-1"].map { device in
      RandomReports.Step.events(
        EventRequest(events: [DeviceEvent(name: "play")], of: .device(device), at: Sample.now))
    }
    #expect(try await app.run(events) == ["1", "erased", "0", "1"])
  }

  @Test("text with U+0000 is refused alone on PostgreSQL")
  func zero() async throws {
    guard PostgreSQLCluster.isInstalled else { return }
    try await PostgreSQLCluster().use { cluster in
      let store = try await PostgreSQLPushStore(url: cluster.url, leaseClock: .caller)
      let fixture = try await StoreFixture(store, "zeros")
      try await fixture.register(20)
      try await fixture.accept("zeros-send")
      let results = try await withThrowingTaskGroup(of: (Int, String).self) { group in
        for number in 0..<20 {
          group.addTask {
            let id = number == 7 ? "a\0b" : "r"
            let receipt = Receipt(
              id: id, send: "zeros-send", device: "zeros-\(number)", event: .received,
              at: Sample.now)
            do throws(StoreError) {
              return (number, "\(try await store.record([receipt], app: "zeros", at: Sample.now))")
            } catch {
              return (number, error.code == .refused ? "refused" : "\(error)")
            }
          }
        }
        return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
      }
      for number in 0..<20 { #expect(results[number] == (number == 7 ? "refused" : "1")) }
      #expect(try await fixture.send("zeros-send").counts.delivered == 19)
    }
  }

  @Test(
    "a value with quotes, backslashes, braces and NULL is stored as it is",
    arguments: [
      #"a"b"#, #"a\b"#, "{a,b}", "NULL", "", "a,b", "é", "\t\n",
    ])
  func text(value: String) async throws {
    let path = directory.path("text.sqlite")
    try await check(value, SQLitePushStore(path: path))
    guard PostgreSQLCluster.isInstalled else { return }
    try await PostgreSQLCluster().use { cluster in
      try await check(value, PostgreSQLPushStore(url: cluster.url, leaseClock: .caller))
    }
  }

  private func check(_ value: String, _ store: some SQLPushStore) async throws {
    let fixture = try await StoreFixture(store, "text")
    try await fixture.register(1)
    try await fixture.accept("text-send")
    var receipt = Receipt(
      id: "r\(value)", send: "text-send", device: "text-0", event: .received, at: Sample.now)
    (receipt.media, receipt.reason) = (value, value)
    #expect(try await store.record([receipt], app: "text", at: Sample.now) == 1)
    #expect(try await store.record([receipt], app: "text", at: Sample.now) == 0)
    let device = try #require(try await store.device("text-0", app: "text"))
    #expect(try await store.receipts(of: "text-send", device: device, app: "text") == [receipt])
    #expect(try await store.mediaFailures(of: "text-send", app: "text") == [value: 1])
  }
}

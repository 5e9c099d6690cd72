import Foundation
import PushPayload
import Testing
import _SQLite
import TestSupport

@testable import PushStore

@Suite("Databases of earlier versions", .timeLimit(.minutes(1)))
struct MigrationTests {
  let directory = TemporaryFolder()
  var path: String { directory.path("martlet.sqlite") }

  /// A p8 file in the clear and a key without limits, as the first schema had them.
  private func makeVersion1(apps: Int = 1) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, busyTimeout: .zero)
    try connection.execute("PRAGMA journal_mode = WAL")
    try Migrations.run(on: connection, path: path, steps: Array(Migrations.steps.prefix(1)))
    for number in 0..<apps {
      try connection.run(
        "INSERT INTO apps VALUES (?, 'n', 'b', 't', 'k', ?, 0)",
        [.text("app\(number)"), .text("-----BEGIN CLEAR \(number)")])
    }
    try connection.execute("INSERT INTO keys VALUES ('key', 'app0', 'push', x'0102', 0)")
    return connection
  }

  @Test("an app and a key of the first version are what they were")
  func first() async throws {
    do { _ = try makeVersion1() }
    #expect(try SQLitePushStore.isCurrent(path: path) == false)
    let store = try SQLitePushStore(path: path)
    #expect(try SQLitePushStore.isCurrent(path: path))
    let app = try await store.app("app0")
    #expect(app?.sealedKey == Array("-----BEGIN CLEAR 0".utf8))
    let key = try await store.key(hash: [1, 2])
    #expect(key?.app == "app0")
    #expect(key?.limits == APIKey.Limits())
  }

  @Test("once a clear key was replaced no file of the database has it")
  func nothingStays() async throws {
    do { _ = try makeVersion1(apps: 100) }
    #expect(try hasClearKey())
    let store = try SQLitePushStore(path: path)
    for app in try await store.apps() { try await store.replaceKey(of: app.id, with: [1, 2, 3]) }
    #expect(try !hasClearKey())
    #expect(try await store.apps().count == 100)
  }

  /// `version2.sqlite` was made by the version that had this schema: two apps with devices in turns,
  /// a send that is over, one in the middle and one that nobody has touched.
  @Test("a database of the second version has its devices, sends and outcomes, and goes on")
  func second() async throws {
    try Data(Fixtures.bytes("databases/version2.sqlite")).write(to: URL(filePath: path))
    let store = try SQLitePushStore(path: path)
    #expect(try await store.keys(app: "weather").map(\.limits.perSecond) == [5])
    for app in ["weather", "news"] { #expect(try await store.deviceCount(app: app) == 6) }
    let device = try #require(try await store.device("d4", app: "weather"))
    #expect(device.userID == "user4")
    #expect(device.token == "a004")
    #expect(device.attributes["age"]?.value == 4)
    #expect(device.isDevelopment)
    #expect(device.badge == 4)
    #expect(device.createdAt == Sample.now + .seconds(4))
    let gone = try await store.devices(app: "weather", above: nil, limit: 10)
      .filter { $0.uninstalledAt != nil }
    #expect(gone.map(\.id) == ["d4"])
    #expect(try await store.audience("tagged", app: "weather")?.filters.count == 1)

    let done = try #require(try await store.send("done", app: "weather"))
    #expect(done.state == .complete)
    #expect(done.counts.sent == 4)
    #expect(done.counts.rejected == 1)
    #expect(done.counts.uninstalled == 1)
    let outcomes = try await store.outcomes(of: "done", app: "weather", after: nil)
    #expect(outcomes.elements.map(\.status) == [200, 400, 410, 200, 200, 200])
    #expect(outcomes.elements[1].reason == "BadDeviceToken")
    #expect(outcomes.elements[1].time == Sample.now + .seconds(1))

    let world = StoreWorld(existing: store, "weather")
    let now = Sample.now + .seconds(100)
    let half = try await world.send("half")
    #expect(half.counts.targeted == 3)
    #expect(half.counts.sent == 1)
    let waiting = try #require(try await world.lease(at: now))
    #expect(waiting.send.id == "waiting")
    #expect(waiting.targets.map(\.id) == [1, 3, 5, 7, 9, 11].map { "d\($0)" })
    let rest = try #require(try await world.lease(at: now))
    #expect(rest.send.id == "half")
    #expect(rest.targets.count == 2)
    for batch in [waiting, rest] { try await world.finish(batch, at: now) }
    #expect(try await world.send("half").state == .complete)
    #expect(try await store.send("waiting", app: "news")?.counts.sent == 6)
    // New devices get numbers that none has.
    let new = try await world.update("new")
    #expect(new.number == 12)
  }

  @Test("rows from before each named its app by number are all there, each in its own")
  func division() async throws {
    let db = try SQLiteConnection(path: path, busyTimeout: .zero)
    try Migrations.run(on: db, path: path, steps: Array(Migrations.steps.prefix(10)))
    for statement in RowsBeforeDivision.statements(sqlite: true) { try db.execute(statement) }
    func counts() throws -> [Int64] {
      try RowsBeforeDivision.tables.map { table in
        try db.row("SELECT count(*) FROM \(table)") { $0.integer(0) } ?? 0
      }
    }
    let before = try counts()
    #expect(!before.contains(0))
    let store = try SQLitePushStore(path: path)
    #expect(try counts() == before)
    #expect(try db.row("PRAGMA integrity_check") { $0.text(0) } == "ok")
    try await RowsBeforeDivision.expectAll(in: store)
    try await RowsBeforeDivision.expectRemoval(in: store)
    #expect(try db.rows("PRAGMA foreign_key_check", []) { $0.text(0) } == [])
  }

  private func hasClearKey() throws -> Bool {
    try [path, path + "-wal"].filter(FileManager.default.fileExists).contains { file in
      try Data(contentsOf: URL(filePath: file)).range(of: Data("BEGIN CLEAR".utf8)) != nil
    }
  }
}

import Foundation
import TestSupport
import Testing
import _SQLite

@testable import PushModel
@testable import PushStore

@Suite("The schema of a SQLite store", .timeLimit(.minutes(10)))
struct SQLiteMigrationTests {
  let directory = TemporaryFolder()
  var path: String { directory.path("martlet.sqlite") }

  private func connect() throws -> SQLiteConnection {
    try SQLiteConnection(path: path, busyTimeout: .seconds(5))
  }

  private static let added = SchemaSteps(
    SchemaSteps.sqlite.steps + [
      .init(
        """
        CREATE TABLE added (app INTEGER NOT NULL);
        INSERT INTO added SELECT number FROM apps;
        """)
    ])

  @Test("an added step is applied once, to the rows that are there, and its version is recorded")
  func addedStep() async throws {
    do { try await SQLitePushStore(path: path).add(Sample.app(), keys: [Sample.key(1)]) }
    #expect(try SQLitePushStore.isCurrent(path: path))
    let db = try connect()
    let version = try SQLiteMigrations.version(of: db, path: path)
    #expect(version == SchemaSteps.sqlite.newestVersion)
    for _ in 0..<2 {
      try SQLiteMigrations.run(on: db, path: path, steps: Self.added)
      #expect(try db.rows("SELECT app FROM added") { $0.integer(0) } == [1])
    }
    #expect(try SQLiteMigrations.version(of: db, path: path, steps: Self.added) == version + 1)
    #expect(try db.rows("SELECT id FROM keys") { $0.text(0) } == ["key1"])
  }

  @Test("processes that open a file at once apply a step once")
  func race() async throws {
    do { try await SQLitePushStore(path: path).add(Sample.app(), keys: []) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try SQLiteMigrations.run(on: self.connect(), path: self.path, steps: Self.added)
        }
      }
      try await group.waitForAll()
    }
    #expect(try connect().rows("SELECT app FROM added") { $0.integer(0) } == [1])
  }

  @Test("a step that fails leaves the file as it was")
  func failedStep() throws {
    do { _ = try SQLitePushStore(path: path) }
    let db = try connect()
    let failing = SchemaSteps(
      SchemaSteps.sqlite.steps + [.init("CREATE TABLE half (x); INSERT INTO none VALUES (1)")])
    #expect(throws: SQLiteError.self) {
      try SQLiteMigrations.run(on: db, path: path, steps: failing)
    }
    #expect(try SQLitePushStore.isCurrent(path: path))
    let tables = try db.rows("SELECT name FROM sqlite_schema WHERE name = 'half'") { $0.text(0) }
    #expect(tables.isEmpty)
  }

  @Test("a database of a newer version is refused, naming both versions and what to do")
  func newer() throws {
    do { _ = try SQLitePushStore(path: path) }
    try connect().execute("PRAGMA user_version = 999")
    let error = #expect(throws: StoreError.self) { try SQLitePushStore(path: path) }
    #expect(error?.code == .newerVersion)
    #expect(error?.message.contains("schema version 999") == true)
    #expect(error?.message.contains("up to \(SchemaSteps.sqlite.newestVersion);") == true)
    #expect(error?.message.contains("run the newer martlet") == true)
  }

  @Test(
    "a database from before the first release is refused with what to do, and left untouched",
    arguments: [1, 2, 11, SchemaSteps.firstVersion - 1])
  func older(version: Int) async throws {
    do {
      try connect().execute(
        """
        CREATE TABLE apps (id TEXT PRIMARY KEY); INSERT INTO apps VALUES ('weather');
        PRAGMA application_id = \(SQLiteMigrations.applicationID); PRAGMA user_version = \(version)
        """)
    }
    let before = try Data(contentsOf: URL(filePath: path))
    let copy = directory.path("copy.sqlite")
    let attempts: [() throws -> Void] = [
      { _ = try SQLitePushStore(path: path) }, { _ = try SQLitePushStore.isCurrent(path: path) },
      { try SQLiteBackup.make(of: path, at: copy) },
      { try SQLiteBackup.restore(path, to: copy) },
    ]
    for attempt in attempts {
      let error = #expect(throws: StoreError.self) { try attempt() }
      #expect(error?.code == .olderVersion)
      #expect(error?.message.contains("\(path) has schema version \(version)") == true)
      #expect(error?.message.contains("use an empty --data directory") == true)
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: URL(filePath: path).deletingLastPathComponent().path)
    #expect(files == ["martlet.sqlite"])
  }

  @Test("once a key for Apple was replaced, no file of the database has it")
  func replacedKeys() async throws {
    let store = try SQLitePushStore(path: path)
    for number in 0..<100 {
      var app = Sample.app("app\(number)")
      app.sealedKey = Array("-----BEGIN CLEAR \(number)".utf8)
      try await store.add(app, keys: [])
    }
    #expect(try hasClearKey())
    for old in try await store.apps() {
      var app = old
      app.sealedKey = [1, 2, 3]
      #expect(try await store.update(app, from: old))
    }
    #expect(try !hasClearKey())
    #expect(try await store.apps().count == 100)
  }

  private func hasClearKey() throws -> Bool {
    try [path, path + "-wal"].filter(FileManager.default.fileExists).contains { file in
      try Data(contentsOf: URL(filePath: file)).range(of: Data("BEGIN CLEAR".utf8)) != nil
    }
  }

  @Test("an app is deleted from every table, and no other app is")
  func deletion() async throws {
    let store = try SQLitePushStore(path: path)
    try await AppRows.fill(store)
    try await AppRows.expectDeletion(in: store)
    let db = try connect()
    #expect(try db.rows("PRAGMA foreign_key_check", []) { $0.text(0) } == [])
    #expect(try db.row("PRAGMA integrity_check") { $0.text(0) } == "ok")
  }
}

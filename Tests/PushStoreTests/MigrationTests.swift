import Foundation
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

  private func hasClearKey() throws -> Bool {
    try [path, path + "-wal"].filter(FileManager.default.fileExists).contains { file in
      try Data(contentsOf: URL(filePath: file)).range(of: Data("BEGIN CLEAR".utf8)) != nil
    }
  }
}
